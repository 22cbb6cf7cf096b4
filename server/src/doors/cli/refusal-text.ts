// Prints a refusal: for each problem one line, and below it what to do.

import { type Problem, refusals } from "../../platform/refusals/index.ts";

export function refusalText({ problems }: { problems: readonly Problem[] }): string {
  return problems.map(problemText).join("\n");
}

function problemText({ code, field, message }: Problem): string {
  return `${code}${field === undefined ? "" : ` ${field}`}: ${message}\n  ${refusals[code][2]}`;
}
