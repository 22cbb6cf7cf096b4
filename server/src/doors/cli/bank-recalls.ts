// disburse bank-batches recall | recall-outcome | recalls

import { type Command, Option } from "commander";
import {
  listRecalls,
  type RecallOutcome,
  type RecallRow,
  recallOutcomes,
  recordRecallOutcome,
  requestRecall,
} from "../../banking/answers/index.ts";
import { isUuid } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { readLine } from "./option-values.ts";
import { print, time } from "./output.ts";

type NoteOptions = BankOptions & { note: string };

export function addRecallCommands(batches: Command): void {
  const recall = batches
    .command("recall <payout>")
    .description("record that the bank was asked to give a payment back; no money moves")
    .requiredOption("--note <text>", "how and why the bank was asked", readLine(500))
    .option("--json", "print JSON");
  byOption(recall).action((payoutId: string, options: NoteOptions) =>
    change("recall", payoutId, options, (tx, by) => requestRecall(tx, by)),
  );

  const outcome = batches
    .command("recall-outcome <payout>")
    .description("record the bank's answer; money comes back only by a return")
    .addOption(
      new Option("--outcome <outcome>", "the answer").choices(recallOutcomes).makeOptionMandatory(),
    )
    .requiredOption("--note <text>", "what the bank said", readLine(500))
    .option("--json", "print JSON");
  byOption(outcome).action((payoutId: string, options: NoteOptions & { outcome: RecallOutcome }) =>
    change("recall-outcome", payoutId, options, (tx, by) =>
      recordRecallOutcome(tx, { ...by, outcome: options.outcome }),
    ),
  );

  batches
    .command("recalls")
    .description("recalls that wait for the bank's answer")
    .option("--all", "include those with an answer")
    .option("--json", "print JSON")
    .action((options: BankOptions & { all?: boolean }) =>
      withBankContext("bank-batches recalls", options, async ({ db }) => {
        const { all = false } = options;
        const limit = limits.bankBatchesListedMax;
        const rows = await listRecalls(db, { includesDecided: all, limit });
        print(rows.map(describe), options);
      }),
    );
}

type RecallBy = { payoutId: string; note: string; who: string; atMs: number };

async function change(
  act: "recall" | "recall-outcome",
  payoutId: string,
  options: NoteOptions,
  work: (tx: Tx, by: RecallBy) => Promise<RecallRow>,
): Promise<void> {
  if (!isUuid(payoutId)) throw new Refusal("BANK431");
  const { note } = options;
  await withBankContext(`bank-batches ${act}`, options, async ({ actor, audit }) => {
    const by = { payoutId, note, who: actor.who, atMs: Date.now() };
    const row = await audit.transaction<RecallRow>(
      ({ outcome, subaccount_id }) => ({
        action: `payout.${act}`,
        object: { kind: "payout", id: payoutId },
        subaccountId: subaccount_id,
        after: { note, outcome },
      }),
      (tx) => work(tx, by),
    );
    print(describe(row), options);
  });
}

function describe(row: RecallRow) {
  return {
    payout: row.payout_id,
    subaccount: row.subaccount_id,
    bank: row.connection_id,
    note: row.note,
    requested_at: time(row.requested_at_ms),
    requested_by: row.requested_by,
    outcome: row.outcome || "waiting",
    outcome_note: row.outcome_note,
    decided_by: row.decided_by,
  };
}
