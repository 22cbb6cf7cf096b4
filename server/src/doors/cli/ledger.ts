// disburse ledger fund | reverse | limit | balance | funding | statement | verify

import { type Command, Option } from "commander";
import type { Static } from "typebox";
import {
  describeFunding,
  type FundingInstructions,
  listConnections,
  railIdOf,
} from "../../banking/connections/index.ts";
import {
  addTestFundsAct,
  fundAct,
  listBalances,
  reverseFundingAct,
  showDepositReference,
  verifyLedger,
} from "../../money/ledger/index.ts";
import { setLimitsAct } from "../../money/payouts/index.ts";
import { format, formatPlain, isUuid, newId } from "../../platform/base/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, performAct } from "./act-command.ts";
import {
  type CommandContext,
  type ReadOptions,
  readOptions,
  withCommandContext,
} from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { addStatementCommand } from "./ledger-statement.ts";
import { readAmountOption, readCurrency } from "./option-values.ts";
import { print, printSection } from "./output.ts";
import { checkedOrRefused } from "./schema-options.ts";
import { stdout } from "./terminal.ts";

const currencyOption = () =>
  new Option("--currency <code>", "ISO 4217, such as AUD")
    .argParser(readCurrency)
    .makeOptionMandatory();

const limitOptions = [
  ["--per-payout <decimal>", "largest payout, in units of the currency"],
  ["--per-day <decimal>", "largest total of one UTC day, in units of the currency"],
  ["--approval-above <decimal>", "larger payouts need approval; 0: every payout does"],
  ["--batch-approval-above <decimal>", "payouts of a batch with a larger total need approval"],
  [
    "--receiver-day-approval-above <decimal>",
    "a larger total for one receiver on one day needs approval",
  ],
  [
    "--account-day-approval-above <decimal>",
    "a larger total for one bank account on one day needs approval, over all receivers",
  ],
] as const;

/** Minor units. Null: no limit. */
function readLimit(name: string, text: string, currency: string): number | null {
  if (text === "none") return null;
  if (text === "0" && name.endsWith("_above")) return 0;
  return Number(readAmountOption(text, currency));
}

export function addLedgerCommands(ledger: Command): void {
  actCommand(ledger, "fund", fundAct, {
    fields: { bank: "rail" },
    options: [
      new Option(
        "--amount <decimal>",
        "in units of the currency, such as 1000.00",
      ).makeOptionMandatory(),
      currencyOption(),
      new Option("--bank <connection>", "name of the bank connection that has the money"),
    ],
    async read({ rail: bank, ...given }, context) {
      const currency = String(given.currency);
      const amount = Number(readAmountOption(String(given.amount), currency));
      const named = bank === undefined ? undefined : { bank: String(bank), currency };
      const rail = named && (await railOfBank(context as CommandContext, named));
      return { ...given, amount, ...(rail && { rail }) };
    },
    overHttp: {
      act: addTestFundsAct,
      async perform(context, { rail, ...given }, options) {
        if (rail !== undefined) {
          throw new CliError("--bank is for commands on the server.", exitCodes.usage);
        }
        const fields = { ...given, key: given.reference };
        const { input } = addTestFundsAct;
        const checked = checkedOrRefused<Static<typeof input>>(input, fields);
        return fundingShown(await performAct(addTestFundsAct, context, checked), options);
      },
    },
    show(funded, _, options) {
      const { currency, reference } = funded;
      if (funded.outcome === "other-amount") {
        const before = format(funded.amount, currency);
        throw new CliError(`${reference} was already used to fund ${before}. Nothing was changed.`);
      }
      return fundingShown({ ...funded, isAgain: funded.outcome === "funded-before" }, options);
    },
  });
  actCommand(ledger, "reverse <transfer-id>", reverseFundingAct, {
    fields: { "transfer-id": "id" },
    object: "transfer",
    // What is no id is the id of no transfer.
    read: ({ id, ...given }) => ({ ...given, id: isUuid(String(id)) ? id : newId() }),
    show(reversed, _, options, { id }) {
      if (reversed.outcome !== "reversed") throw new CliError(whyNot[reversed.outcome](id));
      const { transferId: transfer_id, amount, currency } = reversed;
      return { transfer_id, amount: moneyFor(options)(amount, currency) };
    },
  });
  actCommand(ledger, "limit", setLimitsAct, {
    fields: { "per-payout": "per_payout_max", "per-day": "per_day_max" },
    options: [currencyOption(), ...limitOptions.map(([flags, text]) => new Option(flags, text))],
    read: ({ currency, ...given }) => ({
      currency,
      ...Object.fromEntries(
        Object.entries(given).map(([name, text]) => [
          name,
          readLimit(name, String(text), String(currency)),
        ]),
      ),
    }),
    show({ currency, now }, context, options) {
      const shown = (amount: number | null) =>
        amount === null ? "none" : moneyFor(options)(BigInt(amount), currency);
      const { per_payout_max, per_day_max, ...thresholds } = now;
      return {
        subaccount_id: (context as CommandContext).subaccountId,
        currency,
        per_payout: shown(per_payout_max),
        per_day: shown(per_day_max),
        ...Object.fromEntries(
          Object.entries(thresholds).map(([name, amount]) => [name, shown(amount)]),
        ),
      };
    },
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
  stdout.write(`${instructions}\n`);
  for (const { currency, deposit_reference, bank_accounts } of currencies) {
    printSection(`${currency}: ${showDepositReference(deposit_reference)}`, bank_accounts);
  }
}

/** The rail of the bank connection that has the money. */
async function railOfBank(
  { db, mode }: CommandContext,
  { bank, currency }: { bank: string; currency: string },
): Promise<string> {
  const fitting = (await listConnections(db)).filter(
    (row) => row.mode === mode && row.currency === currency,
  );
  const found = fitting.find(({ name, id }) => name === bank || id === bank);
  if (found) return railIdOf(found.id);
  const names = fitting.map(({ name }) => name).join(", ") || "none";
  throw new CliError(`No bank connection in ${currency} is called ${bank}. There are: ${names}.`);
}

type ShownFunding = Record<"subaccountId" | "currency" | "reference" | "transferId", string> & {
  amount: bigint;
  isAgain: boolean;
};

function fundingShown(
  { subaccountId, currency, amount, reference, transferId, isAgain }: ShownFunding,
  options: { json?: boolean },
) {
  return {
    subaccount_id: subaccountId,
    amount: moneyFor(options)(amount, currency),
    reference,
    transfer_id: transferId,
    funded_before: isAgain,
  };
}

/** Thousands separators are for people, not for programs. */
function moneyFor({ json }: { json?: boolean }): typeof format {
  return json ? formatPlain : format;
}

const whyNot = {
  unknown: (id: unknown) => `There is no transfer ${id} in this subaccount.`,
  "not-a-funding": () => "Only a funding can be reversed; other transfers belong to a payout.",
  "reversed-before": () => "This funding is already reversed. Nothing was changed.",
  "no-funds": () =>
    "The available balance is lower than this funding: some of it is paid out or held.",
};
