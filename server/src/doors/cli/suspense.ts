// disburse suspense list | show | match | split | fund | company | return | close | undo

import type { Command } from "commander";
import {
  candidatesOf,
  closeSuspense,
  type Deciding,
  findSuspense,
  fundBySuspense,
  fundingCandidatesOf,
  giveSuspenseToCompany,
  listSuspense,
  listSuspenseActs,
  matchSuspense,
  returnSuspense,
  type SuspenseRow,
  splitSuspense,
  undoSuspense,
} from "../../banking/answers/index.ts";
import { suspenseReasons } from "../../banking/readers/index.ts";
import { isMoneySpent } from "../../money/ledger/index.ts";
import { format, isUuid } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { readLine } from "./option-values.ts";
import { print, printSection, time } from "./output.ts";

type DecisionOptions = BankOptions & { reason: string };

export function addSuspenseCommands(suspense: Command): void {
  suspense
    .command("list")
    .description("what banks reported and no rule could apply, oldest first")
    .option("--bank <name>", "only that of a bank connection")
    .option("--all", "include what is decided")
    .option("--json", "print JSON")
    .action((options: BankOptions & { bank?: string; all?: boolean }) =>
      withBankContext("suspense list", options, async ({ db, connection }) => {
        const { bank, all = false } = options;
        const rows = await listSuspense(db, {
          connectionId: bank === undefined ? undefined : (await connection(bank)).id,
          includesDecided: all,
          afterId: "00000000-0000-0000-0000-000000000000",
          limit: limits.suspenseListedMax,
        });
        print(rows.map(describe), options);
      }),
    );

  suspense
    .command("show <item>")
    .description("an item, the payouts that it may be about, and what was decided")
    .option("--json", "print JSON")
    .action((id: string, options: BankOptions) =>
      withBankContext("suspense show", options, async ({ db }) => {
        const item = isUuid(id) ? await findSuspense(db, id) : undefined;
        if (!item) throw new CliError(`There is no suspense item ${id}.`, exitCodes.notFound);
        const candidates = (await candidatesOf(db, item)).map((candidate) => ({
          payout: candidate.payout_id,
          subaccount: candidate.subaccount_id,
          amount: format(BigInt(candidate.amount), candidate.currency),
          stage: candidate.stage,
          process_date: candidate.process_date,
          reference: candidate.file_reference,
          reasons: candidate.reasons,
        }));
        const subaccounts = (await fundingCandidatesOf(db, item)).map(
          ({ subaccountId, name, reasons }) => ({ subaccount: subaccountId, name, reasons }),
        );
        const acts = (await listSuspenseActs(db, id)).map(({ at_ms, ...act }) => ({
          ...act,
          at: time(at_ms),
        }));
        if (options.json)
          return print({ ...describe(item), candidates, subaccounts, acts }, options);
        print(describe(item), options);
        printSection("Payouts that it may be about", candidates);
        printSection("Subaccounts that it may be for", subaccounts);
        printSection("Decisions", acts);
      }),
    );

  decision(suspense, "match <item> <payout>", "the item is about this payout").action(
    (id: string, payoutId: string, options: DecisionOptions) =>
      decide("match", id, options, (tx, deciding) => {
        if (!isUuid(payoutId)) throw new Refusal("BANK413");
        return matchSuspense(tx, payoutId, deciding).then(() => ({ payout: payoutId }));
      }),
  );

  decision(
    suspense,
    "split <item> <amounts...>",
    "divide an item; amounts are in minor units",
  ).action((id: string, amounts: string[], options: DecisionOptions) =>
    decide("split", id, options, async (tx, deciding) => {
      if (!amounts.every((amount) => /^\d{1,16}$/.test(amount))) throw new Refusal("BANK416");
      return { parts: await splitSuspense(tx, amounts.map(BigInt), deciding) };
    }),
  );

  decision(suspense, "fund <item> <subaccount>", "the money is the subaccount's").action(
    (id: string, subaccountId: string, options: DecisionOptions) =>
      decide("fund", id, options, async (tx, deciding) => {
        if (!isUuid(subaccountId)) throw new Refusal("BANK421");
        return { transfer: await fundBySuspense(tx, subaccountId, deciding) };
      }),
  );

  decision(suspense, "company <item>", "the money is the company's own").action(
    (id: string, options: DecisionOptions) => decide("company", id, options, giveSuspenseToCompany),
  );

  decision(suspense, "return <item>", "the money went back to the bank").action(
    (id: string, options: DecisionOptions) => decide("return", id, options, returnSuspense),
  );

  decision(suspense, "close <item>", "an item without money that needs nothing").action(
    (id: string, options: DecisionOptions) => decide("close", id, options, closeSuspense),
  );

  decision(suspense, "undo <item>", "take the last decision back, by a new entry").action(
    (id: string, options: DecisionOptions) => decide("undo", id, options, undoSuspense),
  );
}

function decision(suspense: Command, words: string, description: string): Command {
  const command = suspense
    .command(words)
    .description(description)
    .requiredOption("--reason <text>", "why; it is kept in the audit log", readLine(500))
    .option("--json", "print JSON");
  return byOption(command);
}

async function decide(
  act: string,
  id: string,
  options: DecisionOptions,
  work: (tx: Tx, deciding: Deciding) => Promise<unknown>,
): Promise<void> {
  await withBankContext(`suspense ${act}`, options, async ({ db, actor, audit }) => {
    if (!isUuid(id)) throw new Refusal("BANK411");
    const { reason } = options;
    const deciding = { id, reason, who: actor.who, atMs: Date.now() };
    try {
      await audit.transaction<unknown>(
        (result) => ({
          action: `suspense.${act}`,
          object: { kind: "bank_suspense_item", id },
          after: { reason, ...(result as object | undefined) },
        }),
        (tx) => work(tx, deciding),
      );
    } catch (error) {
      throw isMoneySpent(error) ? new Refusal("BANK420") : error;
    }
    print(describe((await findSuspense(db, id)) as SuspenseRow), options);
  });
}

function describe(row: SuspenseRow) {
  const ageMs = Date.now() - Number(row.created_at_ms);
  return {
    id: row.id,
    status: row.status,
    kind: row.kind,
    age_days: Math.floor(ageMs / 86_400_000),
    amount: row.amount === null ? "" : format(BigInt(row.amount), row.currency),
    booked: row.is_booked,
    reason: suspenseReasons[row.reason],
    code: row.code,
    reference: row.reference,
    day: row.day,
    account: row.account_tail === "" ? "" : `…${row.account_tail}`,
    payout: row.payout_id,
    bank: row.connection_id,
    file: row.file_id,
    received_at: time(row.created_at_ms),
  };
}
