#!/usr/bin/env node
// Prints one JSON object for each file, with the first thing that is wrong in it; the exit status is 0 if all hold.
import { readFileSync, statSync } from "node:fs";
import { verify } from "./verify.js";

for (const file of process.argv.slice(2)) {
  try {
    if (statSync(file).size > 2 ** 26) throw new Error("the record has more than 67108864 bytes");
    console.log(JSON.stringify({ file, holds: true, ...verify(readFileSync(file)) }));
  } catch (error) {
    // What the verifier says itself is an Error; a TypeError or RangeError comes from a value of another form.
    const { name, message } = error as Error;
    const problem = name === "Error" ? message : `not of the form of a record (${message})`;
    console.log(JSON.stringify({ file, holds: false, problem }));
    process.exitCode = 1;
  }
}
