// The order of the test files. Without times from an earlier run, Vitest starts the largest files first; but the longest
// runs are the campaigns, whose files are the smallest. Started last, they would leave the other workers idle.

import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What makes a file long, the longest first. */
const reasons = [
  /\/(scenarios\/[\w-]+-run|support\/two-cells)\.ts"/,
  /\/(support\/(process|worker|own-postgres|postgres-servers)|db\/backup\/[\w-]+)\.ts"/,
  /\/support\/(console-)?browser\.ts"/,
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Vitest runs the files of one project after the other.
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((ofProject) =>
      ofProject
        .map((file) => ({ file, rank: rankOf(file) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ file }) => file),
    );
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  if (moduleId.includes("/test/long/")) return -1;
  const text = readFileSync(moduleId, "utf8");
  const rank = reasons.findIndex((reason) => reason.test(text));
  return rank < 0 ? reasons.length : rank;
}
