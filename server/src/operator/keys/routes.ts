// /console/api/s/<id>/keys: a subaccount's API keys. A secret is in the answer that makes it, and nowhere else.

import { recordAct } from "../../audit/record.ts";
import type { Clock } from "../../clock.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { Api } from "../../http/api.ts";
import { inSubaccount, sendCsv } from "../../http/console-api.ts";
import { problem, Refusal } from "../../refusals.ts";
import type { Seal } from "../../seal.ts";
import { addKey } from "../../subaccounts/create-key.ts";
import { updateKeysVersion } from "../../subaccounts/queries.ts";
import { endKey } from "../../subaccounts/revoke-key.ts";
import { replaceSecret } from "../../subaccounts/rotate-key.ts";
import type { Scope } from "../../subaccounts/subaccount.ts";
import { actOf } from "../act.ts";
import { csvOf, isoTime } from "../csv.ts";
import { demandOpen } from "../open-subaccount.ts";
import { toKeyLine } from "./key.ts";
import { type LockedKey, listKeysToShow, lockKeyOf } from "./queries.ts";
import {
  IssuedSecret,
  KeyFilter,
  KeyLine,
  KeyLines,
  KeyRotation,
  KeyWish,
  Nothing,
} from "./schema.ts";

const base = "/console/api/s/:subaccountId/keys";

export function keyRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  async function readKeys(subaccountId: string, status: string | undefined): Promise<KeyLines> {
    const withEnded = status === "all";
    const { keys, isCapped } = await listKeysToShow(db, subaccountId, { withEnded });
    const nowMs = clock();
    return { rows: keys.map((key) => toKeyLine(key, nowMs)), is_capped: isCapped };
  }

  async function demandKey(tx: Tx, subaccountId: string, params: unknown): Promise<LockedKey> {
    const { key } = params as { key: string };
    const locked = await lockKeyOf(tx, subaccountId, key);
    if (!locked) throw new Refusal("CONS110");
    return locked;
  }

  api.get(
    base,
    { config: { may: "read" }, schema: { querystring: KeyFilter, response: { 200: KeyLines } } },
    async (request) => readKeys(inSubaccount(request).subaccount.id, request.query.status),
  );

  api.get(
    `${base}.csv`,
    { config: { may: "export" }, schema: { querystring: KeyFilter } },
    async (request, reply) => {
      const { rows } = await readKeys(inSubaccount(request).subaccount.id, request.query.status);
      const lines = rows.map((row) => ({
        ...row,
        scopes: row.scopes.join(" "),
        addresses: row.addresses.join(" "),
        secrets: row.secrets.length,
        created_at: isoTime(row.created_at),
        expires_at: isoTime(row.expires_at),
        revoked_at: isoTime(row.revoked_at),
        last_used_at: isoTime(row.last_used_at),
      }));
      const columns = Object.keys(KeyLine.properties) as (keyof KeyLine)[];
      const all = csvOf(columns, async (last) => (last ? [] : lines));
      return sendCsv(reply, "keys", all) as never;
    },
  );

  api.post(
    base,
    {
      config: { may: "keys.write", stepUp: true },
      schema: { body: KeyWish, response: { 200: IssuedSecret } },
    },
    async (request) => {
      const asker = demandOpen(inSubaccount(request));
      const { id: subaccountId, mode } = asker.subaccount;
      const { name, addresses = [], version2_only = false, expires_at } = request.body;
      if (expires_at !== undefined && expires_at <= clock()) {
        throw new Refusal([problem("CONS707", "expires_at")]);
      }
      const scopes = request.body.scopes as Scope[];
      const expiresAt = expires_at === undefined ? undefined : new Date(expires_at);
      const wish = { subaccountId, mode, name, scopes, addresses, expiresAt };
      return db.transaction(async (tx) => {
        const { key, secret } = await addKey(tx, seal, { ...wish, version2Only: version2_only });
        await updateKeysVersion(tx);
        const after = { name, scopes, addresses, version2_only, expires_at };
        const doing = { action: "key.create", object: { kind: "api_key", id: key }, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { key, secret };
      });
    },
  );

  api.post(
    `${base}/:key/rotate`,
    {
      config: { may: "keys.write", stepUp: true },
      schema: { body: KeyRotation, response: { 200: IssuedSecret } },
    },
    async (request) => {
      const asker = demandOpen(inSubaccount(request));
      const { grace_ms } = request.body;
      return db.transaction(async (tx) => {
        const locked = await demandKey(tx, asker.subaccount.id, request.params);
        if (locked.is_revoked) throw new Refusal("CONS705");
        const { key, name } = locked;
        const secret = await replaceSecret(tx, seal, { key, graceMs: grace_ms });
        const after = { name, grace_seconds: grace_ms / 1000 };
        const doing = { action: "key.rotate", object: { kind: "api_key", id: key }, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { key, secret };
      });
    },
  );

  api.post(
    `${base}/:key/revoke`,
    {
      config: { may: "keys.write" },
      schema: { body: Nothing, response: { 200: KeyLines } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      await db.transaction(async (tx) => {
        const { key, name } = await demandKey(tx, asker.subaccount.id, request.params);
        await endKey(tx, key);
        const doing = {
          action: "key.revoke",
          object: { kind: "api_key", id: key },
          after: { name },
        };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return readKeys(asker.subaccount.id, undefined);
    },
  );
}
