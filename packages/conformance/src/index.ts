// What others use of this package.

export {
  type ConformanceContext,
  conformanceOptions,
  runConformance,
  runConformanceWords,
} from "./command.ts";
export { conform, type Line, Refused, type Report } from "./conform.ts";
export type { Promised } from "./promise.ts";
export { isKept, reportJson, reportJunit, reportText } from "./report.ts";
export type { Target } from "./run.ts";
export { addedPromises, basePromises, isPublished, publishedDocument } from "./table.ts";
