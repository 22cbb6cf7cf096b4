// /console/api/audit: the audit log, its CSV, its end, its actions, and its verification

import { cutPage, type Db } from "../../../platform/db/index.ts";
import { isoTime } from "../../../platform/documents/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import {
  type AuditFilter,
  type AuditOrder,
  type ChainedEntry,
  listAuditActions,
  listAuditEntries,
  runningVerification,
  stateOfAudit,
  verifyNow,
} from "../../../tenants/audit/index.ts";
import { sees } from "../../../tenants/roles/index.ts";
import { listRoute } from "../list-route.ts";
import { type ConsoleAccess, sendLines } from "../route.ts";
import { AuditActions, AuditHead, AuditLine, AuditPage, AuditQuery } from "./schema.ts";

export type AuditParts = {
  db: Db;
  seal: Seal;
  /** Where ends of the log are stored. Undefined: only the last verification is compared. */
  auditAnchorFile: string | undefined;
};

export function auditRoutes(api: Api, parts: AuditParts): void {
  const { db, seal } = parts;
  listRoute(api, "/console/api/audit", {
    may: "audit.read",
    query: AuditQuery,
    row: AuditLine,
    page: AuditPage,
    sizeMax: limits.consolePageMax,
    async find({ access, query, size, limit }) {
      const order = orderOf(query.sort, query.cursor);
      const found = await listAuditEntries(db, { ...filterOf(access, query), order, limit });
      const cursorOf = ({ number }: ChainedEntry) =>
        order.by === "time" ? String(number) : `${found.top ?? number}.${number}`;
      const { rows, next } = await cutPage(found.entries, size, cursorOf);
      const isSorted = order.by !== "time";
      // A bounded scan by time continues where it stopped.
      const end = isSorted || found.end === undefined ? null : String(found.end);
      const sorted_among = isSorted && found.end !== undefined ? found.scanned : null;
      return { rows, next: next ?? end, sorted_among };
    },
    present: (rows) => rows.map(toLine),
    csv: { name: "audit", columns, cells: ({ at }) => ({ time: isoTime(at) }) },
  });

  api.get(
    "/console/api/audit/actions",
    { config: { may: "audit.read" }, schema: { response: { 200: AuditActions } } },
    async () => ({ actions: await listAuditActions(db) }),
  );

  api.get(
    "/console/api/audit/head",
    { config: { may: "audit.read" }, schema: { response: { 200: AuditHead } } },
    async () => {
      // Before the result is read: a run that ends meanwhile is then among the results, or still said to go on.
      const verifying = runningVerification(db) ?? null;
      const { head, verified } = await stateOfAudit({ db, seal });
      const { number, hash, atMs } = head;
      const last = verified && {
        at: verified.atMs,
        number: verified.number,
        fault: verified.fault,
      };
      return { number, hash, at: atMs, verified: last ?? null, verifying };
    },
  );

  api.post(
    "/console/api/audit/verify",
    { config: { may: "audit.read" } },
    async (_request, reply) => sendLines(reply, verifyNow(parts)) as never,
  );
}

/** `-at` is newest first. The cursor of a sort by a field also has the newest entry that was sorted. */
function orderOf(sort = "-at", cursor: string | undefined): AuditOrder {
  const isDescending = sort.startsWith("-");
  const by = isDescending ? sort.slice(1) : sort;
  const [first, second] = cursor?.split(".").map(Number) ?? [];
  if (by === "who" || by === "action") {
    const isPlace = first !== undefined && second !== undefined;
    return { by, isDescending, after: isPlace ? { top: first, number: second } : undefined };
  }
  return { by: "time", isDescending, after: second ?? first };
}

const columns = [
  ...["number", "time", "who", "action", "object_kind", "object_id", "subaccount_id"],
  ...["before", "after", "ip", "request_id", "hash", "token"],
];

/** A user who sees only some subaccounts has to name one of them. */
function filterOf({ user }: ConsoleAccess, query: AuditQuery): AuditFilter {
  const asked = query.subaccount_id?.toLowerCase();
  if (!sees(user, asked ?? "")) throw new Refusal("CONS105");
  return {
    who: query.who,
    action: query.action,
    objectId: query.object_id,
    subaccountId: asked,
    fromMs: query.from === undefined ? undefined : Number(query.from),
    toMs: query.to === undefined ? undefined : Number(query.to),
    withoutSessions: query.sign_ins === "hidden",
  };
}

function toLine(entry: ChainedEntry): AuditLine {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId, hash, token } = entry;
  return {
    number,
    at: atMs,
    who,
    action,
    object_kind: objectKind,
    object_id: objectId,
    subaccount_id: subaccountId,
    before,
    after,
    ip,
    request_id: requestId,
    hash,
    token,
  };
}
