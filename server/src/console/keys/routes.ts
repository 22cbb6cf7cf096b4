// /console/api/s/<id>/keys: a subaccount's API keys. A secret is in the answer that makes it, and nowhere else.

import { moneyScopes } from "../../api-keys/api-key.ts";
import { addKey } from "../../api-keys/create.ts";
import { updateKeysVersion } from "../../api-keys/queries.ts";
import { endKey } from "../../api-keys/revoke.ts";
import { replaceSecret } from "../../api-keys/rotate.ts";
import { recordAct } from "../../audit/record.ts";
import type { Mode, Scope } from "../../caller.ts";
import type { Clock } from "../../clock.ts";
import type { Db, Tx } from "../../db/connect.ts";
import type { Api } from "../../http/route.ts";
import { limits } from "../../limits.ts";
import { problem, Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { may } from "../../users/user.ts";
import { actOf } from "../act.ts";
import { withdrawChangeRequests } from "../change-requests/queries.ts";
import { csvOf, isoTime } from "../csv.ts";
import { NoFields } from "../fields.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { pageSizeOf } from "../paging.ts";
import { type ConsoleRequest, inSubaccount, sendCsv } from "../route.ts";
import { askForActivation, waitsForActivation } from "./activation.ts";
import { toKeyLine } from "./present.ts";
import { type LockedConsoleKey, listKeysToShow, lockKeyOf } from "./queries.ts";
import {
  IssuedSecret,
  KeyFilter,
  KeyLine,
  KeyLines,
  KeyQuery,
  KeyRotationRequest,
  KeyWish,
} from "./schema.ts";

const base = "/console/api/s/:subaccountId/keys";

/** In cells. */
type CsvKey = Record<keyof KeyLine, unknown> & { key: string };

export function keyRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  async function readKeys(
    subaccountId: string,
    { status, limit, cursor }: { status?: string; limit?: string; cursor?: string },
  ): Promise<KeyLines> {
    const most = pageSizeOf(limit === undefined ? {} : { limit });
    const asked = { withEnded: status === "all", after: cursor, limit: most + 1 };
    const keys = await listKeysToShow(db, subaccountId, asked);
    const nowMs = clock();
    const rows = keys.slice(0, most).map((key) => toKeyLine(key, nowMs));
    return { rows, next: keys.length > most ? (rows.at(-1)?.key ?? null) : null };
  }

  async function demandKey(
    tx: Tx,
    subaccountId: string,
    params: unknown,
  ): Promise<LockedConsoleKey> {
    const { key } = params as { key: string };
    const locked = await lockKeyOf(tx, subaccountId, key);
    if (!locked) throw new Refusal("CONS110");
    return locked;
  }

  /** Creating, rotating and revoking a key take the same permission. */
  function requireMay({ person }: ConsoleRequest, mode: Mode, scopes: readonly Scope[]): void {
    const isAboutMoney = mode === "live" || scopes.some((scope) => moneyScopes.includes(scope));
    if (!may(person, isAboutMoney ? "keys.money" : "keys.write")) throw new Refusal("CONS709");
  }

  api.get(
    base,
    { config: { may: "read" }, schema: { querystring: KeyQuery, response: { 200: KeyLines } } },
    async (request) => readKeys(inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}.csv`,
    { config: { may: "export" }, schema: { querystring: KeyFilter } },
    async (request, reply) => {
      const { id } = inSubaccount(request).subaccount;
      const limit = String(limits.rowsMax);
      const columns = Object.keys(KeyLine.properties) as (keyof KeyLine)[];
      const all = csvOf<CsvKey>(columns, async (last) => {
        const page = { ...request.query, limit, ...(last && { cursor: last.key }) };
        const { rows } = await readKeys(id, page);
        return rows.map((row) => ({
          ...row,
          scopes: row.scopes.join(" "),
          addresses: row.addresses.join(" "),
          secrets: row.secrets.length,
          created_at: isoTime(row.created_at),
          expires_at: isoTime(row.expires_at),
          revoked_at: isoTime(row.revoked_at),
          last_used_at: isoTime(row.last_used_at),
        }));
      });
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
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { id: subaccountId, mode } = asker.subaccount;
      const { name, addresses = [], version2_only = false, expires_at } = request.body;
      if (expires_at !== undefined && expires_at <= clock()) {
        throw new Refusal([problem("CONS707", "expires_at")]);
      }
      const scopes = request.body.scopes as Scope[];
      requireMay(asker, mode, scopes);
      const expiresAt = expires_at === undefined ? undefined : new Date(expires_at);
      const wish = { subaccountId, mode, name, scopes, addresses, expiresAt };
      return db.transaction(async (tx) => {
        const awaitsApproval = await waitsForActivation(tx, { subaccountId, mode, scopes });
        const { key, secret } = await addKey(tx, seal, {
          ...{ ...wish, version2Only: version2_only, seenBy: asker.who, awaitsApproval },
        });
        await updateKeysVersion(tx);
        const after = { name, scopes, addresses, version2_only, expires_at };
        if (awaitsApproval) {
          await askForActivation(tx, { subaccountId, key, fields: after, madeBy: asker.who });
        }
        const doing = { action: "key.create", object: { kind: "api_key", id: key }, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { key, secret, awaits_approval: awaitsApproval };
      });
    },
  );

  api.post(
    `${base}/:key/rotate`,
    {
      config: { may: "keys.write", stepUp: true },
      schema: { body: KeyRotationRequest, response: { 200: IssuedSecret } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { grace_ms } = request.body;
      return db.transaction(async (tx) => {
        const locked = await demandKey(tx, asker.subaccount.id, request.params);
        if (locked.is_revoked) throw new Refusal("CONS705");
        const { key, name } = locked;
        requireMay(asker, asker.subaccount.mode, locked.scopes);
        const rotation = { key, graceMs: grace_ms, seenBy: asker.who };
        const secret = await replaceSecret(tx, seal, rotation);
        const after = { name, grace_seconds: grace_ms / 1000 };
        const doing = { action: "key.rotate", object: { kind: "api_key", id: key }, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { key, secret, awaits_approval: locked.awaiting_approval };
      });
    },
  );

  api.post(
    `${base}/:key/revoke`,
    {
      config: { may: "keys.write" },
      schema: { body: NoFields, response: { 200: KeyLines } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      await db.transaction(async (tx) => {
        const { key, name, scopes } = await demandKey(tx, asker.subaccount.id, request.params);
        requireMay(asker, asker.subaccount.mode, scopes);
        await endKey(tx, key);
        const about = { subaccountId: asker.subaccount.id, kind: "key", objectId: key } as const;
        await withdrawChangeRequests(tx, about, { who: asker.who, atMs: clock() });
        const doing = {
          action: "key.revoke",
          object: { kind: "api_key", id: key },
          after: { name },
        };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return readKeys(asker.subaccount.id, {});
    },
  );
}
