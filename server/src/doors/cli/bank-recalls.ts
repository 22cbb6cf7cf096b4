// disburse bank-batches recall | recall-outcome | recalls

import { type Command, Option } from "commander";
import {
  listRecalls,
  type RecallRow,
  recallOutcomes,
  recallPayout,
  recordRecallOutcomeAct,
} from "../../banking/answers/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { actCommand } from "./act-command.ts";
import { type BankOptions, withBankContext } from "./bank-context.ts";
import { print, time } from "./output.ts";

export function addRecallCommands(batches: Command): void {
  const carried = { fields: { payout: "id" }, show: describe };
  actCommand(batches, "recall <payout>", recallPayout, carried);
  const outcome = new Option("--outcome <outcome>", "the answer").choices(recallOutcomes);
  actCommand(batches, "recall-outcome <payout>", recordRecallOutcomeAct, {
    ...carried,
    options: [outcome.makeOptionMandatory()],
  });

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
