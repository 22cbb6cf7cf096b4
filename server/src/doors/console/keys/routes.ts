// /console/api/s/<id>/keys: a subaccount's API keys. A secret is shown only in the response that creates it.

import { cutPage } from "../../../platform/db/index.ts";
import { csvOf, isoTime } from "../../../platform/documents/index.ts";
import { NoFields } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { csvPagesOf, pageSizeOf } from "../../lists/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount, type SubaccountAccess, sendCsv } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { createConsoleKey } from "./create.ts";
import { toKeyLine } from "./present.ts";
import { listKeysToShow } from "./queries.ts";
import { revokeConsoleKey } from "./revoke.ts";
import { rotateConsoleKey } from "./rotate.ts";
import {
  IssuedSecret,
  KeyFilter,
  KeyLine,
  KeyLines,
  KeyQuery,
  KeyRotationRequest,
  NewKeyRequest,
} from "./schema.ts";

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

  api.post(
    base,
    {
      config: { may: "keys.write", stepUp: true },
      schema: { body: NewKeyRequest, response: { 200: IssuedSecret } },
    },
    async (request) =>
      createConsoleKey(parts, requireOpenSubaccount(inSubaccount(request)), request.body),
  );

  api.post(
    `${base}/:key/rotate`,
    {
      config: { may: "keys.write", stepUp: true },
      schema: { body: KeyRotationRequest, response: { 200: IssuedSecret } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const rotation = { key: keyIn(request.params), graceMs: request.body.grace_ms };
      return rotateConsoleKey(parts, access, rotation);
    },
  );

  api.post(
    `${base}/:key/revoke`,
    {
      config: { may: "keys.write" },
      schema: { body: NoFields, response: { 200: KeyLines } },
    },
    async (request) => {
      const access = inSubaccount(request);
      await revokeConsoleKey(parts, access, keyIn(request.params));
      return readKeys(access.subaccount, {});
    },
  );
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

function keyIn(params: unknown): string {
  return (params as { key: string }).key;
}
