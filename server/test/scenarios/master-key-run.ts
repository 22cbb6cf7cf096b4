// Data keys are rotated again and again while two processes of the service create payouts and accounts and deliver
// events, and while the command or a service is killed. Every value must stay readable, and end under the newest key.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Disburse, DisburseError } from "../../../client/src/index.ts";
import { openKeys } from "../../src/doors/database/open-keys.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { listDataKeys } from "../../src/platform/data-keys/queries.ts";
import { sealOf } from "../../src/platform/encryption/seal.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import { readEncryptedValues } from "../support/encrypted-reader.ts";
import {
  clientOf,
  committedEvents,
  newPayer,
  newPerson,
  type Payer,
  payoutIds,
  payUntilMade,
  untilDrained,
} from "../support/payers.ts";
import { disburse, type Serving, serve, startCommand } from "../support/process.ts";
import { startSink } from "../support/sink.ts";
import type { ServiceParts } from "../support/worker.ts";
import { drawOf } from "./seeded-draw.ts";

type MasterKeyKills = {
  kills: number;
  seed: number;
  /** Accounts that exist before the first rotation. */
  accounts: number;
  onKill?: (done: number) => void;
};

export type MasterKeySeen = DeliveryCheck & {
  paid: number;
  /** Account numbers that were read and equal to what was written. */
  accountsRead: number;
  /** Stored responses with a secret in them that were sent again. */
  secretsRepeated: number;
  /** Calls that a kill cut off, and that were repeated. */
  cut: number;
  /** Kills of the service, and of the command by its last step. */
  killed: Record<"service" | CommandStep, number>;
  /** Rotations that ended with 0 under the old key, and attempts that a kill ended. */
  rotations: { finished: number; interrupted: number };
  /** In the end. */
  values: { readable: number; unreadable: number; underOldKeys: number };
  keys: number;
  complaints: string[];
};

type CommandStep = "starting" | "loading" | "switching" | "encrypting";

/** How far a killed command was, by what it said. */
function stepOf(stderr: string): CommandStep {
  if (stderr.includes("Encrypting")) return "encrypting";
  if (stderr.includes("New values are under")) return "switching";
  return stderr === "" ? "starting" : "loading";
}

const payers = 3;
const payoutCallers = 4;
const drainMs = 90_000;
const killEveryMs = 9_000;

export async function rotateUnderKills(
  { db, seal, url, masterKey }: ServiceParts,
  { kills, seed, accounts, onKill = () => {} }: MasterKeyKills,
): Promise<MasterKeySeen> {
  const { number: random } = drawOf(seed);
  const compiled = mkdtempSync(join(tmpdir(), "disburse-compiled-"));
  const sink = await startSink();
  const up: Serving[] = [];
  const said: string[] = [];
  const paid: string[] = [];
  const counts = { accountsRead: 0, secretsRepeated: 0, cut: 0 };
  const killed = { service: 0, starting: 0, loading: 0, switching: 0, encrypting: 0 };
  const rotations = { finished: 0, interrupted: 0 };
  let isOver = false;
  const environment = {
    NODE_COMPILE_CACHE: compiled,
    NODE_ENV: "production",
    DATABASE_URL: url,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ADMIN_PORT: "0",
    POSTBACK_ADDRESSES: "loopback",
    KYC_SANDBOX_DELAY_MS: "86400000",
    SANDBOX_BANK_DELAY_MS: "50",
    RATE_LIMIT_PER_S: "0",
    LOG_LEVEL: "warn",
  };
  const anyUp = () => (up[Math.floor(Math.random() * up.length)] as Serving).baseUrl;

  /** A killed process cuts calls off. An answer other than "try again" is a failure. */
  async function onTrouble({ status, code, message }: DisburseError): Promise<void> {
    if (status !== null && status !== 503) said.push(`a client got ${status} ${code}: ${message}`);
    else counts.cut += 1;
    await sleep(20);
  }

  async function untilDone<T>(payer: Payer, work: (client: Disburse) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work(clientOf(payer.keys, anyUp()));
      } catch (error) {
        await onTrouble(error as DisburseError);
      }
    }
  }

  async function pay(all: readonly Payer[], index: number): Promise<void> {
    for (let payee = index; !isOver; payee += 1) {
      paid.push(await payUntilMade(all[index % payers] as Payer, payee, anyUp, onTrouble));
      await sleep(Math.random() * 20);
    }
  }

  /** Writes an account number with one process and reads it with any. */
  async function addAccount(payer: Payer, receiverId: string, number: number): Promise<string> {
    const account = { receiver_id: receiverId, account_type: "I", bsb: "062000" } as const;
    const account_number = String(number);
    const options = { idempotencyKey: newId() };
    const { account_id } = await untilDone(payer, ({ receiverAccounts }) =>
      receiverAccounts.create({ ...account, account_number }, options),
    );
    return account_id;
  }

  async function readAccount(payer: Payer, id: string, number: number): Promise<void> {
    const read = await untilDone(payer, ({ receiverAccounts }) => receiverAccounts.get(id));
    if (read.bank_account_data.account_number === String(number)) counts.accountsRead += 1;
    else said.push(`account ${id} has another number`);
  }

  async function keepAccounts(payer: Payer): Promise<void> {
    const { receiver_id } = await untilDone(payer, ({ receivers }) =>
      receivers.create(newPerson()),
    );
    const known: { id: string; number: number }[] = [];
    for (let number = 10_000_000; !isOver; number += 1) {
      known.push({ id: await addAccount(payer, receiver_id, number), number });
      for (let times = 0; times < 3; times += 1) {
        const one = known[Math.floor(Math.random() * known.length)] as (typeof known)[number];
        await readAccount(payer, one.id, one.number);
      }
      await sleep(Math.random() * 30);
    }
  }

  /** A response that holds a secret is stored encrypted. Sent again, it is the same. */
  async function rotateSecrets(payer: Payer): Promise<void> {
    while (!isOver) {
      const options = { idempotencyKey: newId() };
      const rotate = () =>
        untilDone(payer, ({ subaccount }) => subaccount.rotatePostbackSecret({}, options));
      const first = await rotate();
      await sleep(Math.random() * 400);
      if ((await rotate()).secret === first.secret) counts.secretsRepeated += 1;
      else said.push("a repeated request got another secret");
    }
  }

  function noteLog(serving: Serving): void {
    const { stdout, stderr } = serving.output();
    const trouble = [...stdout.split("\n"), ...stderr.split("\n")].filter((line) =>
      /decrypt|data key|unknown version|internal error|^\w*Error/i.test(line),
    );
    said.push(...trouble.map((line) => `a process said ${line.slice(0, 300)}`));
  }

  /** Rotates until it is told to stop. Killed rotations are taken up by the next one. */
  let rotating: ReturnType<typeof startCommand> | undefined;
  async function keepRotating(): Promise<void> {
    while (!isOver) {
      rotating = startCommand(["master-key", "rotate", "--json"], environment);
      const { code, stdout, stderr } = await rotating.ended;
      if (code === 0 && JSON.parse(stdout).under_old_keys === 0) rotations.finished += 1;
      else if (code === null) {
        rotations.interrupted += 1;
        killed[stepOf(stderr)] += 1;
      } else said.push(`a rotation ended with ${code}: ${stderr.slice(0, 500)}`);
    }
  }

  async function killOne(): Promise<void> {
    // A rotation takes some seconds, so that kills come in each of its steps.
    await sleep(random() * killEveryMs);
    if (random() < 0.6 && rotating) {
      rotating.process.kill("SIGKILL");
      await rotating.ended;
      return;
    }
    const victim = up.shift() as Serving;
    await victim.end("SIGKILL");
    noteLog(victim);
    killed.service += 1;
    up.push(await serve(environment));
  }

  async function checkEverything(): Promise<
    DeliveryCheck & Pick<MasterKeySeen, "values" | "keys">
  > {
    const last = await disburse(["master-key", "rotate", "--json"], environment);
    if (last.code !== 0) said.push(`the last rotation ended with ${last.code}: ${last.stderr}`);
    const status = JSON.parse(
      (await disburse(["master-key", "status", "--json"], environment)).stdout,
    );
    if (status.under_old_keys !== 0) said.push(`${status.under_old_keys} values under old keys`);
    const verified = await disburse(["audit", "verify"], environment);
    if (verified.code !== 0) said.push(`audit verify: ${verified.stderr}`);
    const { ring } = await openKeys(readConfig(environment), db);
    const { readable, unreadable } = await readEncryptedValues(db, sealOf(ring));
    if (unreadable.length > 0) said.push(`${unreadable.length} values can't be decrypted`);
    const stored = await payoutIds(db);
    const lost = paid.filter((id) => !stored.has(id));
    if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
    const checked = checkDeliveries(await committedEvents(db), sink.received);
    const values = {
      readable,
      unreadable: unreadable.length,
      underOldKeys: status.under_old_keys as number,
    };
    return { ...checked, values, keys: (await listDataKeys(db)).length };
  }

  try {
    up.push(...(await Promise.all([serve(environment), serve(environment)])));
    const all = await Promise.all(
      Array.from({ length: payers }, (_, index) =>
        newPayer({ db, seal, baseUrl: anyUp() }, sink.url(`/${index}`)),
      ),
    );
    const [first] = all as [Payer, ...Payer[]];
    const { receiver_id } = await clientOf(first.keys, anyUp()).receivers.create(newPerson());
    for (let number = 0; number < accounts; number += 10) {
      const numbers = Array.from({ length: 10 }, (_, index) => 20_000_000 + number + index);
      await Promise.all(numbers.map((one) => addAccount(first, receiver_id, one)));
    }
    const working = Promise.all([
      ...Array.from({ length: payoutCallers }, (_, index) => pay(all, index)),
      ...all.map(keepAccounts),
      rotateSecrets(first),
      keepRotating(),
    ]);
    // It is reported when it is awaited; before that, it would end the process.
    working.catch(() => {});
    for (let done = 1; done <= kills; done += 1) {
      await killOne();
      onKill(done);
    }
    while (rotations.finished === 0) await sleep(50);
    isOver = true;
    await working;
    await untilDrained(db, all, drainMs);
    const seen = await checkEverything();
    for (const serving of up.splice(0)) {
      await serving.end();
      noteLog(serving);
    }
    const everySaid = [...new Set([...said, ...complaints(seen)])];
    return { ...seen, paid: paid.length, ...counts, killed, rotations, complaints: everySaid };
  } finally {
    isOver = true;
    rotating?.process.kill("SIGKILL");
    for (const serving of up) await serving.end("SIGKILL");
    await sink.close();
    rmSync(compiled, { recursive: true, force: true });
  }
}
