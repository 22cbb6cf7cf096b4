// disburse payouts create | validate | cancel | resolve | release | refuse

import { type Command, Option } from "commander";
import { refuseHeldPayout, releaseHeldPayout } from "../../money/hits/index.ts";
import {
  cancelPayoutAct,
  createPayoutAct,
  NewPayout,
  resolutions,
  resolvePayoutAct,
  type ValidatedPayout,
  validatePayout,
} from "../../money/payouts/index.ts";
import { format } from "../../platform/base/index.ts";
import type { Fields, GivenFields } from "../../platform/fields/index.ts";
import { callerOf } from "../../tenants/acts/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import {
  byInSubaccount,
  type CommandContext,
  type ReadOptions,
  readOptions,
  requireOpenForCommand,
  withCommandContext,
} from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { interruptible } from "./interruption.ts";
import { metadataOption, readAmountOption, readCurrency } from "./option-values.ts";
import { print, type Shown } from "./output.ts";
import { existingPayout } from "./payouts-read.ts";
import { refusalText } from "./refusal-text.ts";
import { checked } from "./schema-options.ts";

const moneyOptions = () => [
  new Option("--receiver <id>", "the receiver").makeOptionMandatory(),
  new Option("--account <id>", "the account of the receiver").makeOptionMandatory(),
  new Option("--amount <decimal>", "in units of the currency, such as 12.50").makeOptionMandatory(),
  new Option("--currency <code>", "ISO 4217, such as AUD")
    .argParser(readCurrency)
    .makeOptionMandatory(),
  new Option("--reference <text>", "your reference"),
  new Option("--note <text>", "internal note; the receiver does not see it"),
  metadataOption("a key and a value of your own; give it once for each"),
];
const inMinorUnits = (given: Fields): Fields => ({
  ...given,
  amount: String(readAmountOption(String(given.amount), String(given.currency))),
});

/** The payout in the argument. */
const ofPayout = {
  fields: { "payout-id": "id" },
  object: "payout",
  async read(given: Fields, context: Context) {
    await existingPayout(context as CommandContext, String(given.id));
    return given;
  },
  parts: (context: Context) => context as CommandContext,
  show: ({ payout_id, status, stage }: Record<"payout_id" | "status" | "stage", string>) => ({
    payout_id,
    status,
    stage,
  }),
} as const;

export function changePayoutCommands(payouts: Command): void {
  actCommand(payouts, "create", createPayoutAct, {
    fields: { receiver: "receiver_id", account: "account_id" },
    options: moneyOptions(),
    read: inMinorUnits,
    parts: ofPayout.parts,
    show({ payout_id, amount, currency }, _, { json }) {
      const made = { payout_id, status: "pending" };
      if (json) return { ...made, amount, currency };
      return { ...made, amount: format(BigInt(amount), currency) };
    },
  });
  actCommand(payouts, "cancel <payout-id>", cancelPayoutAct, ofPayout);
  const held = {
    ...ofPayout,
    show: ({ id, ...states }: { id: string; status: string; stage: string }) => ({
      payout_id: id,
      ...states,
    }),
  };
  actCommand(payouts, "release <payout-id>", releaseHeldPayout, { ...held, worksWhenClosed: true });
  actCommand(payouts, "refuse <payout-id>", refuseHeldPayout, held);
  actCommand(payouts, "resolve <payout-id>", resolvePayoutAct, {
    ...ofPayout,
    fields: { ...ofPayout.fields, as: "outcome" },
    options: [
      new Option("--as <outcome>", "`rejected` returns the money to the balance")
        .choices(resolutions)
        .makeOptionMandatory(),
      new Option("--yes", "do not ask for confirmation"),
    ],
    async read(given, context, { yes }) {
      const { payout } = await existingPayout(context as CommandContext, String(given.id));
      if (!yes) {
        if (!canAsk())
          throw new CliError("There is no terminal to confirm at. Add --yes.", exitCodes.usage);
        const money = format(BigInt(payout.amount), payout.currency);
        const question = `Resolve the payout of ${money} as ${given.outcome}?`;
        const isConfirmed = await interruptible((interrupted) => isAgreed(question, interrupted));
        if (!isConfirmed) throw new CliError("Nothing was changed.", exitCodes.refused);
      }
      return given;
    },
  });
  validateCommand(payouts);
}

type PayoutOptions = {
  receiver: string;
  account: string;
  amount: string;
  currency: string;
  reference?: string;
  note?: string;
  allowDuplicate?: boolean;
};

function validateCommand(payouts: Command): void {
  const validate = payouts
    .command("validate")
    .description("a dry run: whether a payout would be accepted now, why not, and what it costs");
  for (const option of moneyOptions()) validate.addOption(option);
  validate.option("--allow-duplicate", "even if an identical payout was made in the last 24 hours");
  readOptions(validate).action(async (options: ReadOptions & PayoutOptions) => {
    const given: GivenFields<NewPayout> = checked(NewPayout, readFields(options));
    await withCommandContext("payouts validate", options, async (context) => {
      requireOpenForCommand(context);
      const validated = await validatePayout(context, callerOf(byInSubaccount(context)), given);
      print(options.json ? validated : inWords(validated, options.currency), options);
      if (!validated.accepted) throw new CliError(refusalText(validated), exitCodes.refused);
    });
  });
}

/** The problems follow with what to do about each. */
function inWords({ problems: _problems, ...validated }: ValidatedPayout, currency: string): Shown {
  const money = (units: number | null) => (units === null ? null : format(BigInt(units), currency));
  const { fee, sent_amount, accepted, needs_approval, needs_review } = validated;
  return {
    ...validated,
    accepted: accepted ? "yes" : "no",
    needs_approval: needs_approval ? "yes" : "no",
    needs_review: needs_review ? "yes" : "no",
    fee: money(fee),
    sent_amount: money(sent_amount),
  };
}

function readFields(options: PayoutOptions): Fields {
  const { receiver, account, currency, reference, note, allowDuplicate } = options;
  return {
    receiver_id: receiver,
    account_id: account,
    ...inMinorUnits({ amount: options.amount, currency }),
    reference,
    note,
    allow_duplicate: allowDuplicate,
  };
}
