// disburse ledger fund | reverse | limit | balance | funding | statement | verify

import type { Command } from "commander";
import {
  describeFunding,
  type FundingInstructions,
  listConnections,
  railIdOf,
} from "../../banking/connections/index.ts";
import {
  fundOnce,
  listBalances,
  reverseFunding,
  showDepositReference,
  verifyLedger,
} from "../../money/ledger/index.ts";
import {
  type LimitChange,
  limitsOnWire,
  lockPayoutLimit,
  type PayoutLimit,
  setPayoutLimit,
} from "../../money/payouts/index.ts";
import { format, formatPlain, isUuid, newId } from "../../platform/base/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { addStatementCommand } from "./ledger-statement.ts";
import { readAmountOption, readCurrency, readLine } from "./option-values.ts";
import { print, printSection } from "./output.ts";

type FundOptions = WriteOptions & {
  amount: string;
  currency: string;
  reference: string;
  bank?: string;
};
type LimitOptions = WriteOptions & {
  currency: string;
  perPayout?: string;
  perDay?: string;
  approvalAbove?: string;
  batchApprovalAbove?: string;
  receiverDayApprovalAbove?: string;
  accountDayApprovalAbove?: string;
};
export function addLedgerCommands(ledger: Command): void {
  const fund = ledger
    .command("fund")
    .description("record money that has arrived at the bank for a subaccount")
    .requiredOption("--amount <decimal>", "in units of the currency, such as 1000.00")
    .requiredOption("--currency <code>", "ISO 4217, such as AUD", readCurrency)
    .requiredOption(
      "--reference <text>",
      "the bank's reference; each reference funds only once",
      readLine(100),
    )
    .option("--bank <connection>", "name of the bank connection that has the money");
  writeOptions(fund).action((options: FundOptions) => {
    const { currency, reference } = options;
    const amount = readAmountOption(options.amount, currency);
    return withCommandContext("ledger fund", options, async (context) => {
      requireOpenForCommand(context);
      const { subaccountId } = context;
      const { who } = context.actor;
      const rail = await railOfBank(context, options);
      const funding = { subaccountId, currency, amount, reference, rail, who, atMs: Date.now() };
      const auditedDb = audited(context, context.actor).db<string>((id) => ({
        action: "ledger.fund",
        object: { kind: "transfer", id },
        after: { amount, currency, reference },
      }));
      const funded = await fundOnce(auditedDb, funding);
      if (funded.outcome === "other-amount") {
        const before = format(funded.amount, currency);
        throw new CliError(`${reference} was already used to fund ${before}. Nothing was changed.`);
      }
      const money = moneyFor(options)(amount, currency);
      const shown = { subaccount_id: subaccountId, amount: money, reference };
      const again = funded.outcome === "funded-before";
      print({ ...shown, transfer_id: funded.transferId, funded_before: again }, options);
    });
  });

  const reverse = ledger
    .command("reverse <transfer-id>")
    .description("reverse a funding that was a mistake, with a new entry")
    .requiredOption("--reason <text>", "why; shown in the statement", readLine(100));
  writeOptions(reverse).action((id: string, options: WriteOptions & { reason: string }) =>
    withCommandContext("ledger reverse", about("transfer", id, options), async (context) => {
      const { subaccountId } = context;
      const { who } = context.actor;
      const transferId = isUuid(id) ? id.toLowerCase() : newId();
      const { reason } = options;
      const request = { subaccountId, transferId, reason, who, atMs: Date.now() };
      const object = { kind: "transfer", id: transferId };
      const auditedDb = audited(context, context.actor).db({
        action: "ledger.reverse",
        object,
        after: { reason },
      });
      const reversed = await reverseFunding(auditedDb, request);
      if (reversed.outcome !== "reversed") throw new CliError(whyNot[reversed.outcome](id));
      const { amount, currency } = reversed;
      const money = moneyFor(options)(amount, currency);
      print({ transfer_id: reversed.transferId, amount: money }, options);
    }),
  );

  const limit = ledger
    .command("limit")
    .description("set payout limits of a subaccount; omitted limits stay, `none` removes a limit")
    .requiredOption("--currency <code>", "ISO 4217, such as AUD", readCurrency)
    .option("--per-payout <decimal>", "largest payout, in units of the currency")
    .option("--per-day <decimal>", "largest total of one UTC day, in units of the currency")
    .option("--approval-above <decimal>", "larger payouts need approval; 0: every payout does")
    .option(
      "--batch-approval-above <decimal>",
      "payouts of a batch with a larger total need approval",
    )
    .option(
      "--receiver-day-approval-above <decimal>",
      "a larger total for one receiver on one day needs approval",
    )
    .option(
      "--account-day-approval-above <decimal>",
      "a larger total for one bank account on one day needs approval, over all receivers",
    );
  writeOptions(limit).action((options: LimitOptions) => {
    const { currency } = options;
    const read = (text: string | undefined) =>
      text === undefined ? undefined : text === "none" ? null : readAmountOption(text, currency);
    const readThreshold = (text: string | undefined) => (text === "0" ? 0n : read(text));
    const change: LimitChange = {
      perPayoutMax: read(options.perPayout),
      perDayMax: read(options.perDay),
      approvalAbove: readThreshold(options.approvalAbove),
      batchApprovalAbove: readThreshold(options.batchApprovalAbove),
      receiverDayApprovalAbove: readThreshold(options.receiverDayApprovalAbove),
      accountDayApprovalAbove: readThreshold(options.accountDayApprovalAbove),
    };
    return withCommandContext("ledger limit", options, async (context) => {
      const { subaccountId, mode } = context;
      type Limits = { before: PayoutLimit; after: PayoutLimit };
      const { after } = await audited(context, context.actor).transaction<Limits>(
        ({ before, after }) => ({
          action: "limits.set",
          object: { kind: "limit", id: currency },
          before: limitsOnWire(before),
          after: limitsOnWire(after),
        }),
        async (tx) => {
          const limit = await lockPayoutLimit(tx, { subaccountId, currency, mode }, change);
          await setPayoutLimit(tx, { subaccountId, currency }, limit.after);
          return limit;
        },
      );
      const shown = (amount: bigint | undefined) =>
        amount === undefined ? "none" : moneyFor(options)(amount, currency);
      print(
        {
          subaccount_id: subaccountId,
          currency,
          per_payout: shown(after.perPayoutMax),
          per_day: shown(after.perDayMax),
          approval_above: shown(after.approvalAbove),
          batch_approval_above: shown(after.batchApprovalAbove),
          receiver_day_approval_above: shown(after.receiverDayApprovalAbove),
          account_day_approval_above: shown(after.accountDayApprovalAbove),
        },
        options,
      );
    });
  });

  const balance = ledger.command("balance").description("show the balances of a subaccount");
  readOptions(balance).action((options: ReadOptions) =>
    withCommandContext("ledger balance", options, async ({ db, subaccountId }) => {
      const rows = await listBalances(db, subaccountId);
      const inUnits = rows.map(({ currency, available, held, in_transit }) => ({
        currency,
        available: format(BigInt(available), currency),
        held: format(BigInt(held), currency),
        in_transit: format(BigInt(in_transit), currency),
      }));
      print(options.json ? rows : inUnits, options);
    }),
  );

  const funding = ledger
    .command("funding")
    .description("show the bank accounts and deposit references that fund a subaccount");
  readOptions(funding).action((options: ReadOptions) =>
    withCommandContext("ledger funding", options, async (context) => {
      const found = await describeFunding(context, context);
      if (options.json) print(found, options);
      else printFunding(found);
    }),
  );

  addStatementCommand(ledger);

  ledger
    .command("verify")
    .description("verify the ledger: add up all transfers and compare; exit code 1 on a difference")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withDatabase("ledger verify", async ({ db }) => {
        const { balances, transfers, differences } = await verifyLedger(db);
        const counted = { balances, transfers: transfers.toString() };
        if (options.json) print({ ...counted, differences }, options);
        else print({ ...counted, differences: differences.length }, options);
        if (differences.length === 0) return;
        const lines = differences.map(
          ({ subaccountId, currency, what }) => `${subaccountId} ${currency}: ${what}`,
        );
        throw new CliError(`The ledger has differences:\n${lines.join("\n")}`, exitCodes.refused);
      }),
    );
}

function printFunding({ instructions, currencies }: FundingInstructions): void {
  process.stdout.write(`${instructions}\n`);
  for (const { currency, deposit_reference, bank_accounts } of currencies) {
    printSection(`${currency}: ${showDepositReference(deposit_reference)}`, bank_accounts);
  }
}

/** The rail of the bank connection that has the money. */
async function railOfBank(
  { db, mode }: CommandContext,
  { bank, currency }: FundOptions,
): Promise<string | undefined> {
  if (bank === undefined) return undefined;
  const fitting = (await listConnections(db)).filter(
    (row) => row.mode === mode && row.currency === currency,
  );
  const found = fitting.find(({ name, id }) => name === bank || id === bank);
  if (found) return railIdOf(found.id);
  const names = fitting.map(({ name }) => name).join(", ") || "none";
  throw new CliError(`No bank connection in ${currency} is called ${bank}. There are: ${names}.`);
}

/** Thousands separators are for people, not for programs. */
function moneyFor({ json }: { json?: boolean }): typeof format {
  return json ? formatPlain : format;
}

const whyNot = {
  unknown: (id: string) => `There is no transfer ${id} in this subaccount.`,
  "not-a-funding": () => "Only a funding can be reversed; other transfers belong to a payout.",
  "reversed-before": () => "This funding is already reversed. Nothing was changed.",
  "no-funds": () =>
    "The available balance is lower than this funding: some of it is paid out or held.",
};
