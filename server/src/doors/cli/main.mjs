#!/usr/bin/env node
// disburse <command>. What was compiled once is kept by Node, which halves the time that a command takes to start.
// In plain JavaScript, so that Node need not load what reads TypeScript: that would be a third of a short command.
// It imports nothing that an older Node lacks, so that this one can say what it needs.

import module from "node:module";

const neededMajor = 24;

if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  process.stderr.write(
    `Disburse needs Node ${neededMajor} or newer, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      "In the clone, npm start and ./disburse use the Node that they install. The npm package brings one too, as an\n" +
      "optional package: install it without --omit=optional, or install Node 24.\n",
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  const { run } = await import("./program.ts");
  process.exitCode = await run(process.argv.slice(2));
}
