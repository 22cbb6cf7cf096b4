// What other nouns use of exports. The rest of this folder is private to it.

export { findExportEnd, writeExport } from "./export.ts";
export { exportPerson } from "./export-person.ts";
export { type ExportKind, exportKinds } from "./queries.ts";
