// Keeps the compiled code of a process.
//
// V8 describes the shape of objects, and compiles code for these shapes. When a process is idle, and every two minutes or
// so, it frees the shapes that no object has at that moment, and the code that was compiled for them. For some seconds
// requests then take up to twice their processor time. Keeping shapes and code takes about 100 MB of an idle process.
// One shape is kept even when memory is short: that of a tick (platform/db/tick-shape.ts), which V8 would not optimize again.

import { setFlagsFromString } from "node:v8";

/** Flags of V8 may change their names: a test fails where Node does not know them. */
export const keepingFlags = [
  // Node 26 has it no more.
  ...(Number.parseInt(process.versions.node, 10) < 26 ? ["--no-memory-reducer-favors-memory"] : []),
  "--retain-maps-for-n-gc=1000",
];

export function keepCompiledCode(): void {
  for (const flag of keepingFlags) setFlagsFromString(flag);
}
