// Tests that need a program on the machine. They are skipped where it is missing, and the run lists the reason at its
// end.

import { type TestAPI, test } from "vitest";

export { missingCommands } from "./missing-commands.ts";

type DeclareTest = ((name: string, run: () => unknown, timeoutMs?: number) => void) &
  Pick<TestAPI, "each">;

/** Declares tests that run when nothing is missing, and are skipped with that reason otherwise. */
export function testUnless(missing: string | undefined): DeclareTest {
  if (missing === undefined) return test;
  const each = (cases: unknown[]) => (name: string) =>
    test.for(cases)(name, (_case, { skip }) => skip(missing));
  return Object.assign((name: string) => test(name, ({ skip }) => skip(missing)), {
    each: each as unknown as TestAPI["each"],
  });
}
