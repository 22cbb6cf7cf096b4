// disburse payouts create | cancel

import type { Command } from "commander";
import { format, toNumber } from "../money.ts";
import { cancelPayout } from "../payouts/cancel.ts";
import { createMany, isMade, type Outcome, toCreation, toRefusal } from "../payouts/create.ts";
import { toWish } from "../payouts/payout.ts";
import { NewPayout } from "../payouts/schema.ts";
import { settled } from "../requests/once.ts";
import { noting } from "./noted.ts";
import { asOperator, callerOf, demandOpen, type WriteOptions, writeOptions } from "./operator.ts";
import { readAmount, readCurrency } from "./option-values.ts";
import { print } from "./output.ts";
import { existingPayout } from "./payouts-read.ts";
import { checkedOrRefused } from "./schema-options.ts";

type CreateOptions = WriteOptions & {
  receiver: string;
  account: string;
  amount: string;
  currency: string;
  reference?: string;
  note?: string;
  allowDuplicate?: boolean;
};

export function changePayoutCommands(payouts: Command): void {
  const create = payouts
    .command("create")
    .description("pay a receiver; the amount is held at once")
    .requiredOption("--receiver <id>", "who is paid")
    .requiredOption("--account <id>", "which of the receiver's accounts")
    .requiredOption("--amount <decimal>", "in units of the currency, such as 12.50")
    .requiredOption("--currency <code>", "ISO 4217, such as AUD", readCurrency)
    .option("--reference <text>", "yours")
    .option("--note <text>", "of your own, for whoever looks at the payout")
    .option("--allow-duplicate", "make it although one of the last 24 hours says the same");
  writeOptions(create).action(async (options: CreateOptions) => {
    const wish = toWish(readFields(options));
    await asOperator("payouts create", options, async (operator) => {
      demandOpen(operator);
      const { rails, who } = operator;
      const creation = toCreation(callerOf(operator), wish, { who });
      const { amount, currency, reference } = wish;
      const db = noting<Outcome[]>(operator, ([outcome]) =>
        outcome && isMade(outcome)
          ? {
              action: "payout.create",
              object: { kind: "payout", id: creation.id },
              after: { amount, currency, reference },
            }
          : undefined,
      );
      const [outcome] = await createMany({ db, rails }, [creation]);
      if (!outcome) throw new Error("a creation must be answered");
      if (typeof outcome === "object" && "refused" in outcome) {
        throw toRefusal(outcome);
      }
      settled(outcome);
      const made = { payout_id: creation.id, status: "pending" };
      if (options.json) print({ ...made, amount: toNumber(amount), currency }, options);
      else print({ ...made, amount: format(amount, currency) }, options);
    });
  });

  const cancel = payouts
    .command("cancel <payout-id>")
    .description("take a payout back that has not been sent: its money is available again");
  writeOptions(cancel).action((id: string, options: WriteOptions) =>
    asOperator("payouts cancel", options, async (operator) => {
      const { who } = operator;
      const { key } = await existingPayout(operator, id);
      const object = { kind: "payout", id: key.id };
      const noted = noting(operator, { action: "payout.cancel", object });
      const { status, stage } = await noted.transaction((tx) =>
        cancelPayout(tx, key, { who, atMs: Date.now() }),
      );
      print({ payout_id: key.id, status, stage }, options);
    }),
  );
}

function readFields(options: CreateOptions): NewPayout {
  const { receiver, account, currency, reference, note, allowDuplicate } = options;
  return checkedOrRefused<NewPayout>(NewPayout, {
    receiver_id: receiver,
    account_id: account,
    amount: String(readAmount(options.amount, currency)),
    currency,
    reference,
    note,
    allow_duplicate: allowDuplicate,
  });
}
