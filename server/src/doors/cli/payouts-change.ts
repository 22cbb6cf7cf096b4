// disburse payouts create | validate | cancel | resolve

import { type Command, Option } from "commander";
import {
  cancelPayout,
  createPayouts,
  isCreated,
  NewPayout,
  type PayoutOutcome,
  type Resolution,
  resolutions,
  resolvePayout,
  toPayoutCreation,
  toPayoutRefusal,
  toPayoutRequest,
  type ValidatedPayout,
  validatePayout,
} from "../../money/payouts/index.ts";
import { format, toNumber } from "../../platform/base/index.ts";
import type { Fields, GivenFields } from "../../platform/fields/index.ts";
import { responseOrRefuse } from "../../platform/idempotency/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  commandCallerOf,
  type ReadOptions,
  readOptions,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { interruptible } from "./interruption.ts";
import { readAmountOption, readCurrency, readLine } from "./option-values.ts";
import { print, type Shown } from "./output.ts";
import { existingPayout } from "./payouts-read.ts";
import { refusalText } from "./refusal-text.ts";
import { checked, checkedOrRefused } from "./schema-options.ts";

type PayoutOptions = {
  receiver: string;
  account: string;
  amount: string;
  currency: string;
  reference?: string;
  note?: string;
  allowDuplicate?: boolean;
};

function payoutOptions(command: Command): Command {
  return command
    .requiredOption("--receiver <id>", "the receiver")
    .requiredOption("--account <id>", "the account of the receiver")
    .requiredOption("--amount <decimal>", "in units of the currency, such as 12.50")
    .requiredOption("--currency <code>", "ISO 4217, such as AUD", readCurrency)
    .option("--reference <text>", "your reference")
    .option("--note <text>", "internal note; the receiver does not see it")
    .option(
      "--allow-duplicate",
      "create it even if an identical payout was made in the last 24 hours",
    );
}

export function changePayoutCommands(payouts: Command): void {
  const create = payouts
    .command("create")
    .description("pay a receiver; the amount is held immediately");
  writeOptions(payoutOptions(create)).action(async (options: WriteOptions & PayoutOptions) => {
    const request = toPayoutRequest(checkedOrRefused<NewPayout>(NewPayout, readFields(options)));
    await withCommandContext("payouts create", options, async (context) => {
      requireOpenForCommand(context);
      const { rails } = context;
      const { who } = context.actor;
      const creation = toPayoutCreation(commandCallerOf(context), request, { who });
      const { amount, currency, reference } = request;
      const db = audited(context, context.actor).db<PayoutOutcome[]>(([outcome]) =>
        outcome && isCreated(outcome)
          ? {
              action: "payout.create",
              object: { kind: "payout", id: creation.id },
              after: { amount, currency, reference },
            }
          : undefined,
      );
      const [outcome] = await createPayouts({ db, rails }, [creation]);
      if (!outcome) throw new Error("a creation must be answered");
      if (typeof outcome === "object" && "refused" in outcome) {
        throw toPayoutRefusal(outcome);
      }
      responseOrRefuse(outcome);
      const made = { payout_id: creation.id, status: "pending" };
      if (options.json) print({ ...made, amount: toNumber(amount), currency }, options);
      else print({ ...made, amount: format(amount, currency) }, options);
    });
  });

  const cancel = payouts
    .command("cancel <payout-id>")
    .description("cancel a payout that has not been sent; its money becomes available again");
  writeOptions(cancel).action((id: string, options: WriteOptions) =>
    withCommandContext("payouts cancel", about("payout", id, options), async (context) => {
      const { who } = context.actor;
      const { key } = await existingPayout(context, id);
      const object = { kind: "payout", id: key.id };
      const { status, stage } = await audited(context, context.actor).transaction(
        { action: "payout.cancel", object },
        (tx) => cancelPayout(tx, key, { who, atMs: Date.now() }),
      );
      print({ payout_id: key.id, status, stage }, options);
    }),
  );
  validateCommand(payouts);
  resolveCommand(payouts);
}

function validateCommand(payouts: Command): void {
  const validate = payouts
    .command("validate")
    .description("a dry run: whether a payout would be accepted now, why not, and what it costs");
  readOptions(payoutOptions(validate)).action(async (options: ReadOptions & PayoutOptions) => {
    const given: GivenFields<NewPayout> = checked(NewPayout, readFields(options));
    await withCommandContext("payouts validate", options, async (context) => {
      requireOpenForCommand(context);
      const validated = await validatePayout(context, commandCallerOf(context), given);
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

type ResolveOptions = WriteOptions & { as: Resolution; reason: string; yes?: boolean };

function resolveCommand(payouts: Command): void {
  const resolve = payouts
    .command("resolve <payout-id>")
    .description("set the outcome of a sent payout by hand, when you know it from the bank")
    .addOption(
      new Option("--as <outcome>", "`rejected` returns the money to the balance")
        .choices(resolutions)
        .makeOptionMandatory(),
    )
    .requiredOption(
      "--reason <text>",
      "how you know; kept in the history and the audit log",
      readLine(300),
    )
    .option("--yes", "do not ask for confirmation");
  writeOptions(resolve).action((id: string, options: ResolveOptions) =>
    withCommandContext("payouts resolve", about("payout", id, options), async (context) => {
      const { as: outcome, reason } = options;
      const { key, payout } = await existingPayout(context, id);
      if (!options.yes) {
        if (!canAsk())
          throw new CliError("There is no terminal to confirm at. Add --yes.", exitCodes.usage);
        const money = format(BigInt(payout.amount), payout.currency);
        const question = `Resolve the payout of ${money} as ${outcome}?`;
        const isConfirmed = await interruptible((interrupted) => isAgreed(question, interrupted));
        if (!isConfirmed) throw new CliError("Nothing was changed.", exitCodes.refused);
      }
      const object = { kind: "payout", id: key.id };
      const after = { outcome, reason };
      const { status, stage } = await audited(context, context.actor).transaction(
        { action: "payout.resolve", object, after },
        (tx) =>
          resolvePayout(tx, key, { outcome, reason, who: context.actor.who, atMs: Date.now() }),
      );
      print({ payout_id: key.id, status, stage }, options);
    }),
  );
}

function readFields(options: PayoutOptions): Fields {
  const { receiver, account, currency, reference, note, allowDuplicate } = options;
  return {
    receiver_id: receiver,
    account_id: account,
    amount: String(readAmountOption(options.amount, currency)),
    currency,
    reference,
    note,
    allow_duplicate: allowDuplicate,
  };
}
