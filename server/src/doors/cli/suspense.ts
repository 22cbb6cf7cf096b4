// disburse suspense list | show | match | split | fund | company | return | close | undo

import type { Command } from "commander";
import {
  candidatesOf,
  findSuspense,
  fundBySuspenseAct,
  fundingCandidatesOf,
  listSuspense,
  listSuspenseActs,
  matchSuspenseAct,
  type NamedSuspense,
  simpleSuspenseActs,
  splitSuspenseAct,
} from "../../banking/answers/index.ts";
import { suspenseReasons } from "../../banking/readers/index.ts";
import { format, isUuid } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { type BankOptions, withBankContext } from "./bank-context.ts";
import { print, printSection, type Shown, time } from "./output.ts";

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

  const carried = {
    fields: { item: "id", payout: "payout_id", subaccount: "subaccount_id" },
    show: async (_: unknown, { db }: Context, __: object, { id }: Shown) =>
      describe((await findSuspense(db, String(id))) as NamedSuspense),
  };
  actCommand(suspense, "match <item> <payout>", matchSuspenseAct, carried);
  actCommand(suspense, "split <item> <amounts...>", splitSuspenseAct, {
    ...carried,
    read: ({ amounts, ...given }) => ({ ...given, amounts: amountsOf(amounts as string[]) }),
  });
  actCommand(suspense, "fund <item> <subaccount>", fundBySuspenseAct, carried);
  for (const [word, act] of Object.entries(simpleSuspenseActs)) {
    actCommand(suspense, `${word} <item>`, act, carried);
  }
}

function amountsOf(amounts: readonly string[]): number[] {
  const read = amounts.map((one) => (/^\d{1,16}$/.test(one) ? Number(one) : 0));
  const isSound = read.length >= 2 && read.every((one) => one > 0 && Number.isSafeInteger(one));
  if (!isSound) throw new Refusal("BANK416");
  return read;
}

function describe(row: NamedSuspense) {
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
    party: row.party,
    reference: row.reference,
    day: row.day,
    account: row.account_tail === "" ? "" : `…${row.account_tail}`,
    payout: row.payout_id,
    bank: row.connection_id,
    file: row.file_id,
    received_at: time(row.created_at_ms),
  };
}
