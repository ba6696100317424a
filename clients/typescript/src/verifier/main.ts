#!/usr/bin/env node
// Prints one JSON object for each file, with its first problem; the exit status is 0 if all records hold.
import { readFileSync, statSync } from "node:fs";
import { expect } from "./bytes.js";
import { errorMessage, verify } from "./verify.js";

for (const file of process.argv.slice(2)) {
  try {
    expect(statSync(file).size <= 2 ** 26, "the record has more than 67108864 bytes");
    console.log(JSON.stringify({ file, holds: true, ...verify(readFileSync(file)) }));
  } catch (error) {
    console.log(JSON.stringify({ file, holds: false, problem: errorMessage(error) }));
    process.exitCode = 1;
  }
}
