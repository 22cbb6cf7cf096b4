// /console/api/s/<id>/keys: a subaccount's API keys. A secret is shown only in the response that creates it.

import { hasThreshold } from "../../../money/payouts/index.ts";
import { cutPage } from "../../../platform/db/index.ts";
import { csvOf, isoTime } from "../../../platform/documents/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import {
  createApiKey,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../../tenants/api-keys/index.ts";
import { csvPagesOf, pageSizeOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, type SubaccountAccess, sendCsv } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toKeyLine } from "./present.ts";
import { listKeysToShow } from "./queries.ts";
import { KeyFilter, KeyLine, KeyLines, KeyQuery } from "./schema.ts";

const base = "/console/api/s/:subaccountId/keys";

export function keyRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;

  async function readKeys(
    { id: subaccountId, mode }: SubaccountAccess["subaccount"],
    { status, limit, cursor }: { status?: string; limit?: string; cursor?: string },
  ): Promise<KeyLines> {
    const most = pageSizeOf(limit === undefined ? {} : { limit });
    const asked = { withEnded: status === "all", after: cursor, limit: most + 1 };
    const keys = await listKeysToShow(db, subaccountId, asked);
    const nowMs = clock();
    const { rows, next } = await cutPage(keys, most, ({ key }) => key);
    return { rows: rows.map((key) => toKeyLine(key, mode, nowMs)), next };
  }

  api.get(
    base,
    { config: { may: "read" }, schema: { querystring: KeyQuery, response: { 200: KeyLines } } },
    async (request) => readKeys(inSubaccount(request).subaccount, request.query),
  );

  api.get(
    `${base}.csv`,
    { config: { may: "export" }, schema: { querystring: KeyFilter } },
    async (request, reply) => {
      const { subaccount } = inSubaccount(request);
      const columns = Object.keys(KeyLine.properties) as (keyof KeyLine)[];
      const nextPage = csvPagesOf(request.query, async (page) => {
        const { rows, next } = await readKeys(subaccount, page);
        return { rows: rows.map(toCsvKey), next };
      });
      return sendCsv(reply, "keys", csvOf(columns, nextPage)) as never;
    },
  );

  const keyParts = { ...parts, hasThreshold };
  actRoute(api, keyParts, `POST ${base}`, createApiKey);
  actRoute(api, keyParts, `POST ${base}/:key/rotate`, rotateApiKey);
  actRoute(api, parts, `POST ${base}/:key/rename`, renameApiKey);
  actRoute(api, parts, `POST ${base}/:key/revoke`, revokeApiKey, {
    response: KeyLines,
    answer: (_, { subaccount }) => readKeys(subaccount, {}),
  });
}

function toCsvKey(row: KeyLine): Record<keyof KeyLine, unknown> {
  return {
    ...row,
    scopes: row.scopes.join(" "),
    addresses: row.addresses.join(" "),
    secrets: row.secrets.length,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: isoTime(row.revoked_at),
    last_used_at: isoTime(row.last_used_at),
  };
}
