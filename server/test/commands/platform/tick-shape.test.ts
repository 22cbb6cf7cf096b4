// A full garbage collection must not change the shape of queued ticks.

import { executionAsyncResource } from "node:async_hooks";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const modulePath = new URL("../../../src/platform/db/tick-shape.ts", import.meta.url).pathname;

// %HaveSameMap asks V8. Without the kept object, the shape of ticks changes after a garbage collection.
const script = `
  import { executionAsyncResource } from "node:async_hooks";
  import { setImmediate as turn } from "node:timers/promises";
  import { keepTickShape, keptTick } from ${JSON.stringify(modulePath)};
  keepTickShape();
  await turn();
  for (let i = 0; i < 3; i++) { globalThis.gc(); await turn(); }
  process.nextTick(() => console.log(%HaveSameMap(keptTick(), executionAsyncResource())));
`;

test("the shape of a queued tick survives full garbage collections", () => {
  const flags = ["--expose-gc", "--allow-natives-syntax", "--input-type=module", "-e", script];
  expect(execFileSync(process.execPath, flags, { encoding: "utf8" })).toBe("true\n");
});

test("the current resource within a tick is the object that Node queued", async () => {
  const callback = () => resolve(executionAsyncResource());
  const { promise, resolve } = Promise.withResolvers<object>();
  process.nextTick(callback);
  expect(await promise).toMatchObject({ callback });
});
