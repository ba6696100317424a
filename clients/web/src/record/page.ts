/** The page of a record with its styles, loaded on demand as one module. */
import "./record.css";

export { default as RecordPage } from "./RecordPage.svelte";
export { served as tools } from "./servedTools";
