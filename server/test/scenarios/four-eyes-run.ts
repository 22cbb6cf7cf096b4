// One user tries to send a payout above the threshold alone, with every action of their role and with every login
// and secret they can get. Used by a test and by a campaign, without a test runner.

import { randomBytes } from "node:crypto";
import { Disburse } from "../../../client/src/index.ts";
import { listen } from "../../src/app/listen.ts";
import { scopes } from "../../src/caller.ts";
import type { Db } from "../../src/db/connect.ts";
import { newId } from "../../src/ids.ts";
import { manualProvider } from "../../src/kyc-providers/manual.ts";
import { sandboxProvider } from "../../src/kyc-providers/sandbox.ts";
import { fundOnce } from "../../src/ledger/fund.ts";
import { createLog } from "../../src/log.ts";
import { startPayoutWorker } from "../../src/payouts/worker.ts";
import { railDirectory } from "../../src/rails/directory.ts";
import type { DirectRail } from "../../src/rails/rail.ts";
import { sandboxRail } from "../../src/rails/sandbox.ts";
import { noScreening } from "../../src/screening/screener.ts";
import type { Seal } from "../../src/seal.ts";
import { createSubaccount } from "../../src/subaccounts/create.ts";
import { ensureInstallation } from "../../src/subaccounts/installation.ts";
import { authSecret } from "../../src/users/login.ts";
import { insertUser } from "../../src/users/queries.ts";
import { signedToken } from "../../src/users/session-cookie.ts";
import { type Role, roles } from "../../src/users/user.ts";
import { randomOf } from "../support/event-load.ts";
import { newPerson } from "../support/payers.ts";
import { switchRules } from "../support/rules.ts";
import { complaintsOf, rulesInForce, threshold } from "./four-eyes-check.ts";
import { approveRulesAlone, releaseAll } from "./four-eyes-holds.ts";

type Parts = { db: Db; seal: Seal };
type Answer = { status: number; json: Record<string, unknown> | undefined };
type Json = Record<string, unknown>;

/** A user as whom the attacker can sign in: the attacker, or a user that they invited or reset. */
type User = {
  id: string;
  role: Role;
  call: (method: string, path: string, body?: Json) => Promise<Answer>;
};

type Payee = { receiver_id: string; account_id: string };
type World = {
  subaccountId: string;
  payees: Payee[];
  /** The subaccount's first key, whose secret no user has seen. */
  programKey: string;
  /** Users whose logins can be reset. */
  colleagues: string[];
  users: User[];
  /** Clients for the keys whose secret the attacker has. */
  clients: Disburse[];
  payouts: string[];
  random: () => number;
};

type FourEyesSeen = {
  complaints: { sequence: number; role: Role; acts: string[]; said: string }[];
  /** The attempts and the successes of each action. */
  tried: Record<string, number>;
  done: Record<string, number>;
  left: { payouts: number };
};

export const actsMax = 12;
const atOnce = 4;

export async function tryAlone(
  { db, seal }: Parts,
  run: { sequences: number; seed: number; onSequence?: (n: number) => void },
): Promise<FourEyesSeen> {
  const { sequences, seed, onSequence } = run;
  await ensureInstallation(db, seal);
  const log = createLog({ level: "silent" });
  const sent = new Set<string>();
  const rails = railDirectory([
    { mode: "test", rail: sandboxRail({ delayMs: 0 }) },
    { mode: "live", rail: recordingRail(sent) },
  ]);
  await switchRules(db, rulesInForce);
  const payouts = startPayoutWorker({ db, seal, log, rails });
  const service = await listen({
    ...{ db, seal, log, host: "127.0.0.1", port: 0, signatureWindowMs: 300_000 },
    kyc: { test: sandboxProvider({ delayMs: 0 }), live: manualProvider },
    ...{ rails, screener: noScreening, rateLimit: { perSecond: 0, burst: 1 } },
    postbackAddresses: "loopback",
    onPayoutDue: () => payouts.wake(),
  });
  const seen: FourEyesSeen = { complaints: [], tried: {}, done: {}, left: { payouts: 0 } };
  const count = (of: Record<string, number>, name: string) => {
    of[name] = (of[name] ?? 0) + 1;
  };
  try {
    let [next, ended] = [0, 0];
    const runOne = async (sequence: number) => {
      const random = randomOf(seed + sequence);
      const role = roles[sequence % roles.length] as Role;
      const { acts, world } = await begin({ db, seal, baseUrl: service.address }, role, random);
      const made: string[] = [];
      for (let step = 1 + Math.floor(random() * actsMax); step > 0; step -= 1) {
        const [name, act] = pick(Object.entries(acts), random);
        made.push(name);
        count(seen.tried, name);
        if (await act().catch(refused)) count(seen.done, name);
      }
      // Approvals that are possible at the end are made now.
      for (const last of [
        "approve keys and limits",
        "approve bank details",
        "release payouts",
        "approve payouts",
        "approve rules",
      ]) {
        await acts[last]?.();
      }
      const said = await complaintsOf(db, world);
      if (said) seen.complaints.push({ sequence, role, acts: made, said });
      ended += 1;
      onSequence?.(ended);
    };
    // Each sequence has its own subaccount and users, so concurrent sequences do not affect each other.
    const several = Array.from({ length: atOnce }, async () => {
      while (next < sequences) await runOne(next++);
    });
    await Promise.all(several);
    // The payouts that the bank received.
    await untilSent(db);
    seen.left.payouts = sent.size;
    const early = await db.pool.query(
      "select id from payout where id = any($1::uuid[]) and amount > $2",
      [[...sent], threshold],
    );
    for (const { id } of early.rows) {
      seen.complaints.push({ sequence: -1, role: "admin", acts: [], said: `the bank got ${id}` });
    }
  } finally {
    await service.close();
    await payouts.close();
  }
  return seen;
}

/** A refusal is expected. Any other error is a bug of the campaign or of the service. */
function refused(error: unknown): false {
  const { status } = error as { status?: number };
  if (status === undefined || status >= 500) throw error;
  return false;
}

function recordingRail(sent: Set<string>): DirectRail {
  const sandbox = sandboxRail({ delayMs: 0 });
  return {
    ...sandbox,
    id: "recording",
    async submit(batch, signal) {
      for (const { payoutId } of batch.payouts) sent.add(payoutId);
      return sandbox.submit(batch, signal);
    },
  };
}

async function untilSent(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await db.pool.query("select 1 from payout where stage = 'queued' limit 1");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Beginning = Parts & { baseUrl: string };

/** A live subaccount with money and receivers, two colleagues, and the attacker. */
async function begin(parts: Beginning, role: Role, random: () => number) {
  const { db, seal, baseUrl } = parts;
  const request = { name: "Live", mode: "live", scopes } as const;
  const { subaccountId, key, secret } = await createSubaccount({ db, seal }, request);
  const program = new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 });
  const payees: Payee[] = [];
  for (const account_number of ["12345999", "12345998"]) {
    const { receiver_id } = await program.receivers.create(newPerson());
    await db.pool.query(
      "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
      [receiver_id],
    );
    const bank = { account_type: "I" as const, bsb: "062000", account_number };
    const { account_id } = await program.receiverAccounts.create({ receiver_id, ...bank });
    payees.push({ receiver_id, account_id });
  }
  const money = { subaccountId, currency: "AUD", amount: 100_000_000n, reference: newId() };
  await fundOnce(db, { ...money, who: "service", atMs: Date.now() });
  const colleagues = [
    await addUser(parts, "admin", subaccountId),
    await addUser(parts, "operator", subaccountId),
  ];
  const self = await enter(parts, await addUser(parts, role, subaccountId), role);
  const world: World = {
    ...{ subaccountId, payees, programKey: key, colleagues, users: [self] },
    ...{ clients: [], payouts: [], random },
  };
  return { world, acts: actsOf(parts, world) };
}

async function addUser({ db }: Parts, role: Role, subaccountId: string): Promise<string> {
  const id = newId();
  const subaccountIds = role === "developer" ? [subaccountId] : undefined;
  await insertUser(db, { id, name: role, email: `${id}@example.com`, role, subaccountIds });
  return id;
}

/** Signs in as the user: inserts a session, and sends its cookie. */
async function enter({ db, seal, baseUrl }: Beginning, id: string, role: Role): Promise<User> {
  const token = randomBytes(24).toString("base64url");
  await db.pool.query(
    `insert into user_session (id, user_id, token, expires_at, proven_at)
     values ($1, $2, $3, now() + interval '12 hours', now())`,
    [newId(), id, token],
  );
  const cookie = `disburse-session=${signedToken(token, authSecret(seal))}`;
  const call = async (method: string, path: string, body?: Json): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/console/api${path}`, {
      method,
      headers: {
        ...{ cookie, "sec-fetch-site": "same-origin" },
        ...(method !== "GET" && { origin: baseUrl, "x-requested-with": "disburse-console" }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get("content-type")?.includes("application/json");
    return { status: response.status, json: isJson && text ? JSON.parse(text) : undefined };
  };
  return { id, role, call };
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Each action returns whether the service did it. */
function actsOf(parts: Beginning, world: World): Record<string, () => Promise<boolean>> {
  const { subaccountId, payees, random } = world;
  const base = `/s/${subaccountId}`;
  const user = () => pick(world.users, random);
  const amount = () => pick([threshold, threshold + 1, 10 * threshold, threshold / 2], random);
  const request = (to = pick(payees, random), of = amount()) => ({
    ...{ ...to, amount: of, currency: "AUD", reference: newId(), allow_duplicate: true },
  });
  const isDone = ({ status }: Answer) => status < 300;
  const keepSecret = (answer: Answer) => {
    const { key, secret } = (answer.json ?? {}) as { key?: string; secret?: string };
    if (!isDone(answer) || !key || !secret) return false;
    const { baseUrl } = parts;
    world.clients.push(new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 }));
    return true;
  };
  const takeOver = async (answer: Answer, role: Role) => {
    if (!isDone(answer)) return false;
    world.users.push(await enter(parts, (answer.json as { id: string }).id, role));
    return true;
  };
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
      return isDone(await user().call("POST", `${base}/payouts/import`, { csv, totals }));
    },
    "retry a payout": async () => {
      const id = world.payouts.at(-1);
      if (id === undefined) return false;
      await user().call("POST", `${base}/payouts/${id}/cancel`);
      return payout(await user().call("POST", `${base}/payouts/${id}/retry`));
    },
    "invite a person": async () => {
      const as = role();
      const body = { email: `${newId()}@example.com`, role: as };
      return takeOver(await user().call("POST", "/users/invite", body), as);
    },
    "reset a colleague": async () => {
      const id = pick(world.colleagues, random);
      return takeOver(await user().call("POST", `/users/${id}/reset`), "operator");
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
      approveAll("change-requests", await waiting(["key", "limits"])),
    "change bank details by key": () =>
      withClient((client) =>
        client.receiverAccounts.update(pick(payees, random).account_id, {
          ...{ bsb: "062000", account_number: `1234${1000 + Math.floor(random() * 8999)}` },
        }),
      ),
    "change bank details at the console": async () =>
      isDone(
        await user().call("PATCH", `${base}/accounts/${pick(payees, random).account_id}`, {
          ...{ bsb: "062000", account_number: `1234${1000 + Math.floor(random() * 8999)}` },
        }),
      ),
    "approve bank details": async () => approveAll("bank-changes", await waiting(["bank_change"])),
    "approve payouts": async () => approveAll("payouts", await waiting(["payout"])),
    "release payouts": () => releaseAll(parts, world),
    "approve rules": () => approveRulesAlone(parts, world),
  };
}
