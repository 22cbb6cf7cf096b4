// What other nouns use of retention. The rest of this folder is private to it.

export {
  defaultRetention,
  type Retention,
  type RetentionKind,
  retentionDayMs,
  retentionKinds,
  retentionLimits,
  retentionOf,
  retentionSettings,
  retentionTable,
} from "./table.ts";
