// Holds npm's jsonrepair against the corpus of faulty answers: npm install jsonrepair, then
// node read.mjs corpus.jsonl. What is repaired must be the answer itself, read without any further mending.
import { readFileSync } from "node:fs";
import { jsonrepair } from "jsonrepair";

/** Numbers, flags and lists as text: what a schema would make of them is not what is compared. */
function plain(value) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, plain(value[key])]));
  }
  if (typeof value === "string") {
    try {
      const inner = JSON.parse(value);
      return Array.isArray(inner) || typeof inner === "number" ? JSON.stringify(inner) : value;
    } catch {
      return value;
    }
  }
  return JSON.stringify(value);
}

const shape = (calls) => JSON.stringify(calls.map(([name, params]) => [name, plain(params)]));
const right = new Map();
const all = new Map();
for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const { fault, input, meant } = JSON.parse(line);
  all.set(fault, (all.get(fault) ?? 0) + 1);
  let good = false;
  try {
    const read = JSON.parse(jsonrepair(input));
    good = shape(read.actions.map(({ name, params }) => [name, params])) === shape(meant);
  } catch {
    // It could not be repaired, or is no answer.
  }
  right.set(fault, (right.get(fault) ?? 0) + Number(good));
}
for (const [fault, count] of all) console.log(`${fault.padEnd(42)} ${count} ${right.get(fault)}`);
const sum = (map) => [...map.values()].reduce((a, b) => a + b, 0);
console.log(`${"all".padEnd(42)} ${sum(all)} ${sum(right)}`);
