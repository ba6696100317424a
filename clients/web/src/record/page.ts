/** The page of a record with all that it needs, in one piece that is loaded when it is wanted. */
import "./record.css";

export { default as RecordPage } from "./RecordPage.svelte";
export { served as tools } from "./served";
