// Records the head of the audit chain each minute outside the database: in the log, in a metric and in a file.

import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import {
  anchorText,
  appendAnchor,
  type ChainLink,
  findEnd,
  readAnchorFile,
} from "../../tenants/audit/index.ts";

type AnchoringParts = {
  db: Db;
  log: Log;
  metrics: Metrics;
  /** Undefined: only the log and the metric. */
  file: string | undefined;
};

export function startAnchoring(parts: AnchoringParts): void {
  const anchor = auditAnchorer(parts);
  const run = () => anchor().catch((error) => parts.log.warn({ err: error }, "audit anchor"));
  void run();
  setInterval(run, limits.auditAnchorMs).unref();
}

/** Each call records the head once. */
export function auditAnchorer({ db, log, metrics, file }: AnchoringParts): () => Promise<void> {
  let last: ChainLink | undefined = file === undefined ? undefined : readAnchorFile(file).at(-1);
  let isLogged = false;
  return async () => {
    const { head } = await findEnd(db);
    metrics.auditHead(head.number);
    if (last && isBefore(head, last)) {
      const facts = { audit_head: anchorText(head), expected: anchorText(last) };
      log.error(facts, "the audit log has lost entries: run disburse audit verify");
      return;
    }
    if (head.number === 0 || (isLogged && last?.number === head.number)) return;
    if (file !== undefined && last?.number !== head.number) appendAnchor(file, head);
    log.info({ audit_head: anchorText(head) }, "audit head");
    last = { number: head.number, hash: head.hash };
    isLogged = true;
  };
}

/** A chain only grows: its head never gets a lower number, or another hash for the same number. */
function isBefore(head: ChainLink, last: ChainLink): boolean {
  return head.number < last.number || (head.number === last.number && head.hash !== last.hash);
}
