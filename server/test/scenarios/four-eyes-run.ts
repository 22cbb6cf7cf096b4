// One user tries to send a payout above the threshold alone, with every action of their role and with every login
// and secret they can get. Used by a test and by a campaign, without a test runner.

import { Disburse } from "../../../client/src/index.ts";
import { listen } from "../../src/doors/app/listen.ts";
import { commandRunner } from "../../src/doors/cli/over-http.ts";
import { newProgram } from "../../src/doors/cli/program.ts";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { startPayoutWorker } from "../../src/money/payouts/worker.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import type { DirectRail } from "../../src/money/rails/rail.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { manualProvider } from "../../src/people/kyc-providers/manual.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { scopes } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { addKey } from "../../src/tenants/api-keys/create.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { type Role, roles } from "../../src/tenants/roles/user.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { newPerson } from "../support/payers.ts";
import { switchRules } from "../support/rules.ts";
import {
  actsOf,
  addUser,
  type Beginning,
  enter,
  type Payee,
  type World,
} from "./four-eyes-acts.ts";
import { bankComplaints, beginBank } from "./four-eyes-banks.ts";
import { pick } from "./four-eyes-calls.ts";
import { complaintsOf, rulesInForce, threshold } from "./four-eyes-check.ts";
import { randomOf } from "./seeded-draw.ts";

/** Acts choose users, keys and amounts at random. */
const times = (count: number, ...acts: string[]) =>
  Array.from({ length: count }, () => acts).flat();

/** Sequences that once succeeded, each for the role that found it. They run before the random ones. */
export const knownSequences: readonly { name: string; role: Role; acts: readonly string[] }[] = [
  {
    name: "redirect a payee by a forged notification of change",
    role: "operator",
    acts: [
      ...["upload a correction", "confirm what waits at the bank", "approve bank details"],
      ...["a program pays the payee of the bank", "approve payouts"],
    ],
  },
  {
    name: "fund one deposit twice, by two statements",
    role: "finance",
    acts: ["upload a statement", "upload a statement", "confirm what waits at the bank"],
  },
  {
    name: "make and move balances by forged files and decisions about suspense",
    role: "finance",
    acts: ["upload a statement", "upload a return", "undo a funding", "fund from suspense"],
  },
  {
    name: "split over receivers that have the same account",
    role: "operator",
    acts: [
      ...["rotate a key", "approve keys and limits", "add one account to every receiver by key"],
      ...["pay everyone a little by key", "pay everyone a little by key"],
    ],
  },
  {
    name: "loosen limits with an invited user, days later",
    role: "admin",
    acts: [
      ...["invite a person", "loosen limits", "wait some days", "confirm users"],
      "approve keys and limits",
      ...["pay at the console", "approve payouts"],
    ],
  },
  {
    name: "open a link after another admin has confirmed the user",
    role: "admin",
    acts: [
      ...["reset a colleague and keep the link", "confirm users as an honest admin"],
      "open the links",
      ...times(6, "pay at the console"),
      "approve payouts",
    ],
  },
  {
    name: "make tokens and logins, and approve with each what the others did",
    role: "admin",
    acts: [
      ...times(3, "make a token", "sign in a command line"),
      ...["approve tokens", "approve tokens as an honest admin"],
      ...["pay by a command", "loosen limits by a command", "make a key by a command"],
    ],
  },
  {
    name: "disable the user who has seen a key",
    role: "admin",
    acts: [
      "reset a colleague",
      ...times(8, "make a key"),
      ...["approve keys as an honest admin", ...times(8, "disable a user")],
      ...times(4, "add one account to every receiver by key", "pay everyone a little by key"),
    ],
  },
];

type FourEyesSeen = {
  complaints: { sequence: number | string; role: Role; acts: string[]; said: string }[];
  /** The attempts and the successes of each action. */
  tried: Record<string, number>;
  done: Record<string, number>;
  left: { payouts: number };
};

export const actsMax = 15;
const atOnce = 4;

export async function tryAlone(
  { db, seal }: { db: Db; seal: Seal },
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
    runCommand: commandRunner(newProgram),
  });
  const seen: FourEyesSeen = { complaints: [], tried: {}, done: {}, left: { payouts: 0 } };
  const count = (of: Record<string, number>, name: string) => {
    of[name] = (of[name] ?? 0) + 1;
  };
  try {
    let [next, ended] = [0, 0];
    const parts = { db, seal, rails, baseUrl: service.address };
    const runOne = async (sequence: number) => {
      const random = randomOf(seed + sequence);
      const known = knownSequences[sequence];
      const role = known?.role ?? (roles[sequence % roles.length] as Role);
      // Every role with a bank connection, and every role without one.
      const hasBank = known !== undefined || Math.floor(sequence / roles.length) % 2 === 1;
      const { acts, world } = await begin(parts, { role, hasBank, random });
      const made =
        known?.acts ??
        Array.from({ length: 1 + Math.floor(random() * actsMax) }, () =>
          pick(Object.keys(acts), random),
        );
      for (const name of made) {
        count(seen.tried, name);
        if (await acts[name]?.().catch(refused)) count(seen.done, name);
      }
      // Approvals that are possible at the end are made now.
      for (const last of [
        "confirm users",
        "confirm what waits at the bank",
        "approve tokens",
        "approve keys and limits",
        "approve bank details",
        "release payouts",
        "approve payouts",
        "approve rules",
      ]) {
        await acts[last]?.();
      }
      const said = [
        (await complaintsOf(db, world)) ?? [],
        world.bank ? await bankComplaints(db, world.bank) : [],
      ].flat();
      if (said.length > 0) {
        const name = known?.name ?? sequence;
        seen.complaints.push({ sequence: name, role, acts: [...made], said: said.join("; ") });
      }
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
    const { rows } = await db.pool.query(
      "select 1 from payout where stage = 'queued' and rail = 'recording' limit 1",
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A live subaccount with money and receivers, two colleagues, and the attacker. */
async function begin(
  parts: Beginning,
  { role, hasBank, random }: { role: Role; hasBank: boolean; random: () => number },
) {
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
  const newKey = async (name: string, seenBy?: string) => {
    const asked = { subaccountId, mode: "live", name, scopes, seenBy } as const;
    const issued = await db.transaction((tx) => addKey(tx, seal, asked));
    const { key: apiKey, secret: apiSecret } = issued;
    return {
      apiKey,
      apiSecret,
      client: new Disburse({ apiKey, apiSecret, baseUrl, maxRetries: 0 }),
    };
  };
  const { apiKey: accountingKey, client: accounting } = await newKey("accounting");
  // Half of those who may have one have a key that a colleague approved.
  const hasKey = (role === "admin" || role === "operator") && random() < 0.5;
  const own = hasKey ? [await newKey("own", `operator:${self.id}@example.com`)] : [];
  const honestAdmin = await enter(parts, await addUser(parts, "admin", subaccountId), "admin");
  const bank = hasBank ? await beginBank(parts, { subaccountId, accounting }) : undefined;
  const known = [...payees, ...(bank ? [bank.payee, bank.unpaidPayee] : [])];
  const world: World = {
    ...{ subaccountId, payees, programKey: key, accountingKey, colleagues, users: [self] },
    keys: own.map(({ apiKey, apiSecret }) => ({ api_key: apiKey, api_secret: apiSecret })),
    clients: own.map(({ client }) => client),
    ...{ payouts: [], random, bank, links: [], honestAdmin },
    knownAccounts: known.map(({ account_id }) => account_id),
  };
  return { world, acts: actsOf(parts, world) };
}
