// Tests that build on each other. Each test first runs the earlier ones, once, so it passes alone and in any order.

import { testUnless } from "./skippable.ts";

const testTimeoutMs = 300_000;

type Step = (name: string, run: () => Promise<void>, timeoutMs?: number) => void;

/** Declares steps in their order. All are skipped when something is missing. */
export function orderedSteps(missing?: string): Step {
  const declare = testUnless(missing);
  let before: () => Promise<void> = async () => {};
  let totalMs = 0;
  return (name, run, timeoutMs = testTimeoutMs) => {
    const earlier = before;
    let running: Promise<void> | undefined;
    const step = () => {
      running ??= earlier().then(run);
      return running;
    };
    before = step;
    totalMs += timeoutMs;
    declare(name, step, totalMs);
  };
}
