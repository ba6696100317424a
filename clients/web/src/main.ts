import { mount } from "svelte";
import App from "./app/App.svelte";
import "./app/app.css";
import "./lobby/lobby.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the client");
mount(App, { target });
