// GET /console/api/audit, /console/api/audit.csv and /console/api/audit/head: the audit log

import { type AuditFilter, listAuditEntries } from "../../audit/list-queries.ts";
import type { ChainedEntry } from "../../audit/queries.ts";
import { stateOfAudit } from "../../audit/state.ts";
import type { Db } from "../../db/connect.ts";
import { cutPage, pagesOf } from "../../db/page.ts";
import { csvOf } from "../../documents/csv.ts";
import type { Api } from "../../http/route.ts";
import { limits } from "../../limits.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { sees } from "../../users/user.ts";
import { type ConsoleAccess, sendCsv } from "../route.ts";
import { AuditExport, AuditHead, type AuditLine, AuditPage, AuditQuery } from "./schema.ts";

export function auditRoutes(api: Api, { db, seal }: { db: Db; seal: Seal }): void {
  async function readPage(
    filter: AuditFilter,
    cursor: string | undefined,
    limit: number,
  ): Promise<AuditPage> {
    const before = cursor === undefined ? newest : Number(cursor);
    const found = await listAuditEntries(db, { ...filter, before, limit: limit + 1 });
    const { rows, next } = await cutPage(found, limit, ({ number }) => String(number));
    return { rows: rows.map(toLine), next };
  }

  api.get(
    "/console/api/audit",
    {
      config: { may: "audit.read" },
      schema: { querystring: AuditQuery, response: { 200: AuditPage } },
    },
    async ({ access, query }) => {
      const limit = Math.min(Number(query.limit ?? limits.consolePage), limits.consolePageMax);
      return readPage(filterOf(access, query), query.cursor, limit);
    },
  );

  api.get(
    "/console/api/audit.csv",
    { config: { may: "audit.read" }, schema: { querystring: AuditExport } },
    async ({ access, query }, reply) => {
      const filter = filterOf(access, query);
      const nextPage = pagesOf(async (cursor) => {
        const { rows, next } = await readPage(filter, cursor, limits.auditPage);
        return { rows: rows.map(inCells), next };
      });
      return sendCsv(reply, "audit", csvOf(columns, nextPage));
    },
  );

  api.get(
    "/console/api/audit/head",
    { config: { may: "audit.read" }, schema: { response: { 200: AuditHead } } },
    async () => {
      const { head, verified } = await stateOfAudit({ db, seal });
      const { number, hash, atMs } = head;
      const last = verified && {
        at: verified.atMs,
        number: verified.number,
        fault: verified.fault,
      };
      return { number, hash, at: atMs, verified: last ?? null };
    },
  );
}

const newest = Number.MAX_SAFE_INTEGER;

const columns = [
  ...(["number", "time", "who", "action", "object_kind", "object_id", "subaccount_id"] as const),
  ...(["before", "after", "ip", "request_id", "hash"] as const),
];

/** A user who sees only some subaccounts has to name one of them. */
function filterOf({ user }: ConsoleAccess, query: AuditExport): AuditFilter {
  const asked = query.subaccount_id?.toLowerCase();
  if (!sees(user, asked ?? "")) throw new Refusal("CONS105");
  return {
    who: query.who,
    action: query.action,
    objectId: query.object_id,
    subaccountId: asked,
    fromMs: query.from === undefined ? undefined : Number(query.from),
    toMs: query.to === undefined ? undefined : Number(query.to),
  };
}

function toLine(entry: ChainedEntry): AuditLine {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId, hash } = entry;
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
  };
}

function inCells({ at, before, after, ...line }: AuditLine) {
  return {
    ...line,
    time: new Date(at).toISOString(),
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  };
}
