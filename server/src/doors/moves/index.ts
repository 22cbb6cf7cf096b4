// What other nouns use of moves. The rest of this folder is private to it.

export { auditExportFault } from "./audit-file.ts";
export { checkFleet } from "./check.ts";
export { mapLines, writeEdgeMap } from "./edge-map.ts";
export { cellNameOf, type MoveParts, MoveRefused, MoveStopped } from "./move.ts";
export { purgeMoved } from "./purge.ts";
export { abandonMove, moveSubaccount } from "./run.ts";
