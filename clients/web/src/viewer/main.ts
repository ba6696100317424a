/** The single-file record viewer, which needs no host. */
import { mount } from "svelte";
import "../app/app.css";
import "../record/record.css";
import Viewer from "./Viewer.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the viewer");
mount(Viewer, { target });
