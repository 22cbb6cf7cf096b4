// disburse payouts release | refuse

import type { Command } from "commander";
import { type EndedHold, refusePayout, releasePayout } from "../../money/payouts/index.ts";
import { toNumber } from "../../platform/base/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { about, type WriteOptions, withCommandContext, writeOptions } from "./command-context.ts";
import { readLine } from "./option-values.ts";
import { print } from "./output.ts";
import { existingPayout } from "./payouts-read.ts";

type DecisionOptions = WriteOptions & { reason: string };

export function holdPayoutCommands(payouts: Command): void {
  const release = payouts
    .command("release <payout-id>")
    .description(
      "release a payout that is on hold: it is sent, or waits for approval if it needs one",
    );
  decision(release).action((id: string, options: DecisionOptions) =>
    decide("release", id, options),
  );

  const refuse = payouts
    .command("refuse <payout-id>")
    .description("refuse a payout that is on hold; its money becomes available again");
  decision(refuse).action((id: string, options: DecisionOptions) => decide("refuse", id, options));
}

function decision(command: Command): Command {
  const meaning = "why; kept in the audit log, and never shown to the caller";
  return writeOptions(command.requiredOption("--reason <text>", meaning, readLine(500)));
}

async function decide(
  act: "release" | "refuse",
  id: string,
  options: DecisionOptions,
): Promise<void> {
  await withCommandContext(`payouts ${act}`, about("payout", id, options), async (context) => {
    const { actor, rails, mode } = context;
    const { key } = await existingPayout(context, id);
    const ending = { who: actor.who, atMs: Date.now(), reason: options.reason };
    const { status, stage } = await audited(context, actor).transaction<EndedHold>(
      ({ payout, stage }) => ({
        action: `payout.${act}`,
        object: { kind: "payout", id: key.id },
        after: {
          amount: toNumber(BigInt(payout.amount)),
          currency: payout.currency,
          made_by: payout.created_by,
          stage,
          reason: options.reason,
        },
      }),
      (tx) =>
        act === "refuse"
          ? refusePayout(tx, key, ending)
          : releasePayout(tx, key, { ...ending, rails, mode }),
    );
    print({ payout_id: key.id, status, stage }, options);
  });
}
