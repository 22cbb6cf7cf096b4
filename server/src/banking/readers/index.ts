// What other nouns use of readers. The rest of this folder is private to it.

export {
  emptyLine,
  type FileOwner,
  type InboundKind,
  type InboundLine,
  idInReference,
  itemTextOf,
} from "./inbound-line.ts";
export {
  causeOf,
  decideInbound,
  type InboundDecision,
  type ReportSource,
  type SuspenseReason,
  suspenseReasons,
} from "./inbound-outcome.ts";
export {
  type FileInThread,
  newSharedBytes,
  openInThread,
  openMessageInThread,
  partsOf,
  tryCsvInThread,
} from "./inbound-thread.ts";
