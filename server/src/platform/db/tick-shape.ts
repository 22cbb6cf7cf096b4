// Keeps process.nextTick fast.
//
// V8 optimizes nextTick for the shape of the objects that Node queues. A full garbage collection while the queue is
// empty frees that shape, and from then on every call takes six times as long (Node 24). A request makes about ten
// calls, so it would cost 10 % more. One queued object that stays reachable keeps the shape.

import { executionAsyncResource } from "node:async_hooks";

let kept: object | undefined;

export function keepTickShape(): void {
  if (kept) return;
  process.nextTick(() => {
    kept = executionAsyncResource();
  });
}

/** Undefined until the first tick after keepTickShape. */
export function keptTick(): object | undefined {
  return kept;
}
