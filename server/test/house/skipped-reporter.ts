// Lists the skipped tests with their reasons at the end of a run, and prints the seed of its order.

import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

const unnamed = "no reason given";

export default class SkippedReporter implements Reporter {
  private isFiltered = false;
  private seed: number | null = null;

  onInit(vitest: Vitest): void {
    this.isFiltered = vitest.config.testNamePattern !== undefined;
    this.seed = vitest.getSeed();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = skippedTests(modules);
    // A filter by name also skips tests, and gives no reason.
    const listed = this.isFiltered ? skipped.filter(({ reason }) => reason !== unnamed) : skipped;
    if (listed.length > 0) console.info(describeSkipped(listed));
    if (this.seed !== null) console.info(describeOrder(this.seed));
  }
}

type SkippedTest = { file: string; name: string; reason: string };

function skippedTests(modules: readonly TestModule[]): SkippedTest[] {
  return modules.flatMap((module) =>
    [...module.children.allTests("skipped")].map((test) => {
      const result = test.result();
      const note = result.state === "skipped" ? result.note : undefined;
      const file = relative(process.cwd(), module.moduleId);
      return { file, name: test.fullName, reason: note ?? unnamed };
    }),
  );
}

/** One paragraph for each reason, with the tests that it concerns. */
export function describeSkipped(tests: SkippedTest[]): string {
  const byReason = Map.groupBy(tests, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, skipped]) => {
      const lines = skipped.map(({ file, name }) => `   ${file} > ${name}`);
      return [` Skipped (${skipped.length}): ${reason}`, ...lines, ""].join("\n");
    })
    .join("\n");
}

/** The line with which a run's order can be repeated. */
export function describeOrder(seed: number): string {
  return ` Test order seed: ${seed}. DISBURSE_TEST_SEED=${seed} repeats it.\n`;
}
