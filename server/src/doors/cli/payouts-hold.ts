// disburse payouts release | refuse

import type { Command } from "commander";
import { refuseHeldPayout, releaseHeldPayout } from "../../money/hits/index.ts";
import type { PayoutParts } from "../../money/payouts/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import type { CommandContext } from "./command-context.ts";
import { existingPayout } from "./payouts-read.ts";

export function holdPayoutCommands(payouts: Command): void {
  const carried = {
    fields: { "payout-id": "id" },
    object: "payout",
    read: async (given: Fields, context: Context) => {
      const { key } = await existingPayout(context as CommandContext, String(given.id));
      return { ...given, id: key.id };
    },
    parts: (context: Context): Pick<PayoutParts, "rails"> => context as CommandContext,
    show: ({ id, ...states }: { id: string; status: string; stage: string }) => ({
      payout_id: id,
      ...states,
    }),
  } as const;
  actCommand(payouts, "release <payout-id>", releaseHeldPayout, carried);
  actCommand(payouts, "refuse <payout-id>", refuseHeldPayout, carried);
}
