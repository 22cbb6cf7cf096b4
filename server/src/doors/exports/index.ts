// What other nouns use of exports. The rest of this folder is private to it.

export { findExportEnd, writeExport } from "./export.ts";
export { exportReceiver } from "./export-person.ts";
export { type ExportKind, exportKinds } from "./queries.ts";
