// `disburse payouts …` on subaccounts that have money, and receivers that may be paid.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import { expect } from "vitest";
import { readBatchPage } from "../../src/doors/console/batches/read.ts";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { createPayouts, toPayoutCreation as toPayout } from "../../src/money/payouts/create.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { createAccount } from "../../src/people/accounts/create.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { toReceiverCreation } from "../../src/people/receivers/create.ts";
import { insertReceivers } from "../../src/people/receivers/insert-queries.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { start } from "./cli-importer.ts";
import { command } from "./commands.ts";
import { disburse } from "./process.ts";
import { ada, newDatabase, settingsOf } from "./service.ts";

export type Payee = { receiver_id: string; account_id: string };
export type PayoutTest = Awaited<ReturnType<typeof payoutTest>>;
export type Payer = Awaited<ReturnType<PayoutTest["payer"]>>;

const sandbox = sandboxProvider({ delayMs: 0 });

export async function payoutTest() {
  const { db, url, seal } = await newDatabase();
  const folder = mkdtempSync(join(tmpdir(), "disburse-cli-payouts-"));
  const environment = settingsOf({ url });
  let files = 0;
  return {
    db,
    seal,
    folder,
    environment,
    fileOf(rows: object[] | string | Buffer): string {
      files += 1;
      const path = join(folder, `payouts-${files}.csv`);
      writeFileSync(path, Array.isArray(rows) ? stringify(rows, { header: true }) : rows);
      return path;
    },
    /** A new subaccount with `cents` of AUD, and the commands on it. */
    async payer(cents = 0n, mode: "test" | "live" = "test") {
      const { subaccountId } = await createSubaccount({ db, seal }, { name: "P", mode });
      const fund = (amount: bigint, currency = "AUD") =>
        fundOnce(db, {
          subaccountId,
          currency,
          amount,
          reference: newId(),
          who: "service",
          atMs: Date.now(),
        });
      if (cents > 0n) await fund(cents);
      const whole = (words: string[]) => ["payouts", ...words, "--subaccount", subaccountId];
      const run = (...words: string[]) => command(whole(words), environment);
      const query = async (what: string) => {
        const text = `select ${what} from payout where subaccount_id = $1`;
        return (await db.pool.query(text, [subaccountId])).rows;
      };
      return {
        subaccountId,
        fund,
        run,
        /** Runs the command in a new process. */
        runAlone: (...words: string[]) => disburse(whole(words), environment),
        start: (...words: string[]) => start(whole(words), environment),
        async json(...words: string[]) {
          const { code, stdout, stderr } = await run(...words, "--json");
          expect([code, stderr]).toEqual([0, ""]);
          return JSON.parse(stdout);
        },
        /** In the order of their creation. */
        stored: async () => (await query("*")).sort((one, other) => (one.id < other.id ? -1 : 1)),
        /** Waits until more than `least` payouts are committed. */
        sinceRows: (least: number) =>
          expect
            .poll(async () => (await query("count(*)::int"))[0].count, {
              interval: 5,
              timeout: 60_000,
            })
            .toBeGreaterThan(least),
        /** As the console lists them, the newest first. */
        imports: async () =>
          (await readBatchPage(db, { subaccountId, nowMs: Date.now() }, {})).rows,
        async available() {
          const { rows } = await db.pool.query(
            "select available from ledger_balance where subaccount_id = $1 and currency = 'AUD'",
            [subaccountId],
          );
          return BigInt(rows[0].available);
        },
        /** Creates a payout without a process, which would take a second. */
        async pay({ receiver_id: receiverId, account_id: accountId }: Payee, amount: bigint) {
          const caller = { subaccountId, mode, key: "", requestId: newId(), nonce: undefined };
          const texts = { currency: "AUD", reference: "", note: "" };
          const request = {
            receiverId,
            accountId,
            amount,
            ...texts,
            allowDuplicate: true,
            sendOn: "",
            statementReference: "",
            purpose: "",
          };
          const creation = toPayout(caller, request);
          const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
          expect(await createPayouts({ db, rails }, [creation])).toEqual([
            { body: creation.answer, replayed: false },
          ]);
          return creation.id;
        },
        payee: (accountNumber?: string) => payee(subaccountId, mode, accountNumber),
      };
    },
    async verified() {
      const { code, stdout } = await command(["ledger", "verify", "--json"], environment);
      expect([code, JSON.parse(stdout).differences]).toEqual([0, []]);
    },
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /** A receiver that may be paid, with an account. */
  function payee(
    subaccountId: string,
    mode: "test" | "live",
    account_number = "12345999",
  ): Promise<Payee> {
    return db.transaction(async (tx) => {
      const caller = { subaccountId, mode, key: "", requestId: newId(), nonce: undefined };
      const { row } = toReceiverCreation(caller, ada(), {
        provider: sandbox,
        screener: noScreening,
        seal,
        who: "service",
      });
      const decided = { kyc_step: undefined, kyc_due_at_ms: undefined };
      await insertReceivers(tx, [
        { ...row, ...decided, status: "active", kyc_status: "completed" },
      ]);
      const bank = { account_type: "I", bsb: "062000", account_number };
      const { account_id } = await createAccount(
        { tx, seal, screener: noScreening },
        { subaccountId, who: "service" },
        { receiver_id: row.id, ...bank },
      );
      return { receiver_id: row.id, account_id };
    });
  }
}
