// What one user can try in their role, with every login and secret that they can get: payouts, keys, users, limits and bank
// details. Each action returns whether the service did it.

import { randomBytes } from "node:crypto";
import { Disburse } from "../../../client/src/index.ts";
import type { RailDirectory } from "../../src/money/rails/directory.ts";
import { scopes } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import type { Role } from "../../src/tenants/roles/user.ts";
import { insertUser } from "../../src/tenants/user-records/queries.ts";
import { acceptInvitation } from "../../src/tenants/users/invitation.ts";
import { authSecret } from "../../src/tenants/users/login.ts";
import { signedToken } from "../../src/tenants/users/session-cookie.ts";
import { asFile } from "../support/import-file.ts";
import { type BankWorld, bankActs } from "./four-eyes-banks.ts";
import { type Answer, type Call, calling, pick } from "./four-eyes-calls.ts";
import { threshold } from "./four-eyes-check.ts";
import { passDays } from "./four-eyes-days.ts";
import { approveRulesAlone, isAllowed, releaseAll } from "./four-eyes-holds.ts";
import { tokenActs } from "./four-eyes-tokens.ts";

type Parts = { db: Db; seal: Seal };
export type Beginning = Parts & { baseUrl: string; rails: RailDirectory };

/** A user as whom the attacker can sign in: the attacker, or a user that they invited or reset. */
export type User = {
  id: string;
  role: Role;
  call: Call;
};

export type Payee = { receiver_id: string; account_id: string };
export type World = {
  subaccountId: string;
  payees: Payee[];
  /** The subaccount's first key, whose secret no user has seen. */
  programKey: string;
  /** Another key whose secret no user has seen, and that no act touches. */
  accountingKey: string;
  /** Users whose logins can be reset. */
  colleagues: string[];
  users: User[];
  /** Links that the attacker has and has not used. */
  links: { id: string; role: Role; token: string }[];
  /** An admin who decides about what waits, and confirms users only after asking them. */
  honestAdmin: User;
  /** The accounts that the company's program added. */
  knownAccounts: string[];
  /** Clients for the keys whose secret the attacker has. */
  clients: Disburse[];
  keys: { api_key: string; api_secret: string }[];
  payouts: string[];
  /** Half of the sequences have a bank connection. */
  bank: BankWorld | undefined;
  random: () => number;
};

export async function addUser({ db }: Parts, role: Role, subaccountId: string): Promise<string> {
  const id = newId();
  const subaccountIds = role === "developer" ? [subaccountId] : undefined;
  await insertUser(db, { id, name: role, email: `${id}@example.com`, role, subaccountIds });
  return id;
}

/** Signs in as the user: inserts a session, and sends its cookie. */
export async function enter(
  { db, seal, baseUrl }: Beginning,
  id: string,
  role: Role,
): Promise<User> {
  const token = randomBytes(24).toString("base64url");
  await db.pool.query(
    `insert into user_session (id, user_id, token, expires_at, proven_at)
     values ($1, $2, $3, now() + interval '12 hours', now())`,
    [newId(), id, token],
  );
  const cookie = `disburse-session=${signedToken(token, authSecret(seal))}`;
  const page = {
    ...{ cookie, "sec-fetch-site": "same-origin" },
    ...{ origin: baseUrl, "x-requested-with": "disburse-console" },
  };
  return { id, role, call: calling(`${baseUrl}/console/api`, page) };
}

/** Each action returns whether the service did it. */
export function actsOf(parts: Beginning, world: World): Record<string, () => Promise<boolean>> {
  const { subaccountId, payees, random } = world;
  const base = `/s/${subaccountId}`;
  const user = () => pick(world.users, random);
  const amount = () => pick([threshold, threshold + 1, 10 * threshold, threshold / 2], random);
  /** Few, so that several accounts have the same number. */
  const accountNumber = () => pick(["12345771", "12345772"], random);
  const request = (to = pick(payees, random), of = amount()) => ({
    ...{ ...to, amount: of, currency: "AUD", reference: newId(), allow_duplicate: true },
  });
  const isDone = ({ status }: Answer) => status < 300;
  const keepSecret = (answer: Answer) => {
    const { key, secret } = (answer.json ?? {}) as { key?: string; secret?: string };
    if (!isDone(answer) || !key || !secret) return false;
    const { baseUrl } = parts;
    world.clients.push(new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 }));
    world.keys.push({ api_key: key, api_secret: secret });
    return true;
  };
  const keepLink = (answer: Answer, role: Role) => {
    if (!isDone(answer)) return false;
    const { id, link } = answer.json as { id: string; link: string };
    world.links.push({ id, role, token: new URL(link).hash.slice(1) });
    return true;
  };
  const openLinks = async () => {
    let done = false;
    for (const { id, role, token } of world.links.splice(0)) {
      const chosen = { token, name: role, email: "", password: "correct horse battery" };
      const from = { ip: "", requestId: newId(), isBrowserOf: () => false };
      const used = acceptInvitation({ ...parts, clock: Date.now }, chosen, from);
      if (!(await isAllowed(used))) continue;
      world.users.push(await enter(parts, id, role));
      done = true;
    }
    return done;
  };
  const takeOver = async (answer: Answer, role: Role) =>
    keepLink(answer, role) && (await openLinks());
  const invite = (as: Role) =>
    user().call("POST", "/users/invite", { email: `${newId()}@example.com`, role: as });
  const reset = () => user().call("POST", `/users/${pick(world.colleagues, random)}/reset`);
  const withClient = async (work: (client: Disburse) => Promise<unknown>) => {
    if (world.clients.length === 0) return false;
    await work(pick(world.clients, random));
    return true;
  };
  const waiting = async (kinds: readonly string[]) => {
    const { json } = await user().call("GET", `/approvals?subaccount_id=${subaccountId}`);
    const rows = (json?.rows ?? []) as { kind: string; id: string }[];
    return rows.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  };
  /** Tries as every user that the attacker controls, so that chance does not decide. */
  const approveAll = async (folder: string, ids: readonly string[]) => {
    let done = false;
    for (const id of ids) {
      for (const one of world.users) {
        const answer = await one.call("POST", `${base}/${folder}/${id}/approve`);
        done ||= isDone(answer);
      }
    }
    return done;
  };
  const payout = async (answer: Answer) => {
    if (!isDone(answer)) return false;
    world.payouts.push((answer.json as { payout_id: string }).payout_id);
    return true;
  };
  const role = () => pick(["admin", "operator", "approver", "finance"] as const, random);

  return {
    "make a key": async () =>
      keepSecret(
        await user().call("POST", `${base}/keys`, {
          ...{ name: "mine", scopes: pick([[...scopes], ["payout"], ["write"]], random) },
        }),
      ),
    "rotate a key": async () =>
      keepSecret(
        await user().call("POST", `${base}/keys/${world.programKey}/rotate`, { grace_ms: 60_000 }),
      ),
    "pay by key": () =>
      withClient(async (client) => {
        const made = await client.payouts.create(request());
        world.payouts.push(made.payout_id);
      }),
    "split by key": () =>
      withClient(async (client) => {
        const to = pick(payees, random);
        for (let n = 0; n < 4; n += 1) await client.payouts.create(request(to, threshold / 2));
      }),
    "batch by key": () =>
      withClient((client) =>
        client.payouts.createBatch(
          payees.map((to) => request(to, pick([threshold, threshold / 2], random))),
        ),
      ),
    "pay at the console": async () =>
      payout(await user().call("POST", `${base}/payouts`, { ...request(), once: newId() })),
    "split at the console": async () => {
      const to = pick(payees, random);
      let done = false;
      for (let n = 0; n < 4; n += 1) {
        const body = { ...request(to, threshold / 2), once: newId() };
        done = isDone(await user().call("POST", `${base}/payouts`, body)) || done;
      }
      return done;
    },
    "import a file": async () => {
      const rows = payees.map(({ receiver_id, account_id }) =>
        [receiver_id, account_id, `${threshold / 100}.00`, "AUD", newId()].join(),
      );
      const csv = `receiver_id,account_id,amount,currency,reference\n${rows.join("\n")}\n`;
      const totals = [{ currency: "AUD", amount: threshold * payees.length }];
      return isDone(
        await user().call("POST", `${base}/payouts/import`, { ...asFile(csv), totals }),
      );
    },
    "retry a payout": async () => {
      const id = world.payouts.at(-1);
      if (id === undefined) return false;
      await user().call("POST", `${base}/payouts/${id}/cancel`);
      return payout(await user().call("POST", `${base}/payouts/${id}/retry`));
    },
    "invite a person": async () => {
      const as = role();
      return takeOver(await invite(as), as);
    },
    "invite a person and keep the link": async () => {
      const as = role();
      return keepLink(await invite(as), as);
    },
    "reset a colleague": async () => takeOver(await reset(), "operator"),
    "reset a colleague and keep the link": async () => keepLink(await reset(), "operator"),
    "open the links": openLinks,
    /** Asks each user first, so not those as whom the attacker has signed in. */
    "confirm users as an honest admin": async () => {
      const { json } = await world.honestAdmin.call("GET", "/users");
      const rows = (json?.rows ?? []) as { id: string; granted_by: string[] }[];
      const own = [...world.links.map(({ id }) => id), ...world.colleagues];
      const taken = new Set(world.users.map(({ id }) => id));
      let done = false;
      for (const { id } of rows.filter((row) => own.includes(row.id) && !taken.has(row.id))) {
        done = isDone(await world.honestAdmin.call("POST", `/users/${id}/confirm`)) || done;
      }
      return done;
    },
    "approve keys as an honest admin": async () => {
      const { honestAdmin } = world;
      const { json } = await honestAdmin.call("GET", `/approvals?subaccount_id=${subaccountId}`);
      const rows = (json?.rows ?? []) as { kind: string; id: string }[];
      let done = false;
      for (const { id } of rows.filter(({ kind }) => kind === "key" || kind === "rotation")) {
        const answer = await honestAdmin.call("POST", `${base}/change-requests/${id}/approve`);
        done = isDone(answer) || done;
      }
      return done;
    },
    "disable a user": async () => {
      const { id } = user();
      return isDone(await user().call("PATCH", `/users/${id}`, { disabled: true }));
    },
    "enable a user again": async () => {
      const { id, role } = user();
      if (!isDone(await user().call("PATCH", `/users/${id}`, { disabled: false }))) return false;
      world.users.push(await enter(parts, id, role));
      return true;
    },
    "change a role": async () => {
      const { id } = user();
      if (!isDone(await user().call("PATCH", `/users/${id}`, { role: role() }))) return false;
      world.users.push(await enter(parts, id, "operator"));
      return true;
    },
    "loosen limits": async () => {
      const none = { per_payout_max: null, per_day_max: null };
      const above = pick([null, 100 * threshold], random);
      return isDone(
        await user().call("PUT", `${base}/limits`, {
          ...{ currency: "AUD", ...none, approval_above: above },
          ...{ batch_approval_above: above, receiver_day_approval_above: above },
        }),
      );
    },
    "approve keys and limits": async () =>
      approveAll("change-requests", await waiting(["key", "rotation", "limits"])),
    /** Every user confirms every other one. */
    "confirm users": async () => {
      let done = false;
      for (const { id } of world.users) {
        for (const one of world.users)
          done = isDone(await one.call("POST", `/users/${id}/confirm`)) || done;
      }
      return done;
    },
    "change bank details by key": () =>
      withClient((client) =>
        client.receiverAccounts.update(pick(payees, random).account_id, {
          ...{ bsb: "062000", account_number: accountNumber() },
        }),
      ),
    "change bank details at the console": async () =>
      isDone(
        await user().call("PATCH", `${base}/accounts/${pick(payees, random).account_id}`, {
          ...{ bsb: "062000", account_number: accountNumber() },
        }),
      ),
    "add one account to every receiver by key": () =>
      withClient(async (client) => {
        const details = {
          account_type: "I",
          bsb: "062000",
          account_number: accountNumber(),
        } as const;
        for (const receiver_id of new Set(payees.map((payee) => payee.receiver_id))) {
          const { account_id } = await client.receiverAccounts.create({ receiver_id, ...details });
          payees.push({ receiver_id, account_id });
        }
      }),
    "add an account at the console": async () => {
      const { receiver_id } = pick(payees, random);
      const details = { account_type: "I", bsb: "062000", account_number: accountNumber() };
      return isDone(await user().call("POST", `${base}/accounts`, { receiver_id, ...details }));
    },
    "pay everyone a little by key": () =>
      withClient(async (client) => {
        // Each receiver once, to the newest account.
        const newest = new Map(payees.map((payee) => [payee.receiver_id, payee]));
        for (const to of newest.values()) await client.payouts.create(request(to, threshold - 1));
      }),
    "wait some days": async () => {
      const { users, links, colleagues, bank } = world;
      const userIds = [...[...users, ...links].map(({ id }) => id), ...colleagues];
      const connectionId = bank?.connection.id;
      const days = 1 + Math.floor(random() * 30);
      await passDays(parts.db, { subaccountId, userIds, connectionId }, days);
      return true;
    },
    "approve bank details": async () => approveAll("bank-changes", await waiting(["bank_change"])),
    "approve payouts": async () => approveAll("payouts", await waiting(["payout"])),
    "release payouts": () => releaseAll(parts, world),
    "approve rules": () => approveRulesAlone(parts, world),
    ...tokenActs(parts, world),
    ...(world.bank && bankActs(parts, world.bank, world)),
  };
}
