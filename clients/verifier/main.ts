#!/usr/bin/env node
// Prints one JSON object for each file, with the first thing that is wrong in it; the exit status is 0 if all hold.
import { readFileSync } from "node:fs";
import { verify } from "./verify.js";

for (const file of process.argv.slice(2)) {
  try {
    console.log(JSON.stringify({ file, holds: true, ...verify(readFileSync(file, "utf8")) }));
  } catch (error) {
    console.log(JSON.stringify({ file, holds: false, problem: String((error as Error).message) }));
    process.exitCode = 1;
  }
}
