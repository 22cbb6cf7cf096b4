// The options of the command line, and the length and size of a run.

import { parseArgs } from "node:util";

const measureNames = [
  "receiver-by-id",
  "create-receiver",
  "import",
  "screening",
  "payout",
  "payout-growth",
  "rules",
  "thresholds",
  "bank-freeze",
  "bank-returns",
  "statements",
  "names",
  "delivery",
  "delivery-claim",
  "alone",
  "growth",
  "request-log",
  "console-overview",
  "console-lists",
  "console-search",
  "peer",
  "processes",
] as const;
export type MeasureName = (typeof measureNames)[number];

export type Scale = {
  /** Rounds of the measures under load. */
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  /** Rounds with one connection: short and many, because latency drifts with other load. */
  aloneRounds: number;
  aloneRoundMs: number;
  subaccountsMany: number;
  payoutsFew: number;
  payoutsMany: number;
  /** Payouts of one day to one receiver. */
  payoutsOfDay: number;
  /** Payouts of one bank file. */
  bankPayoutsFew: number;
  bankPayoutsMany: number;
  bankRounds: number;
  importRows: number;
  importRounds: number;
  /** Receivers that are screened again after a new version of a list. */
  screenedReceivers: number;
  receiversFew: number;
  receiversMany: number;
  /** The number of waiting events at the start of a delivery round. */
  deliveries: number;
  waitingFew: number;
  waitingMany: number;
};

const fullScale: Scale = {
  rounds: 7,
  roundMs: 3_000,
  // Node needs some 40,000 requests for each process until all that runs often is compiled.
  warmUpMs: 10_000,
  aloneRounds: 20,
  aloneRoundMs: 500,
  subaccountsMany: 1_000,
  payoutsFew: 10_000,
  payoutsMany: 2_000_000,
  payoutsOfDay: 100_000,
  bankPayoutsFew: 10_000,
  bankPayoutsMany: 100_000,
  bankRounds: 5,
  importRows: 50_000,
  importRounds: 3,
  screenedReceivers: 1_000_000,
  receiversFew: 10_000,
  receiversMany: 2_000_000,
  deliveries: 20_000,
  waitingFew: 10_000,
  waitingMany: 1_000_000,
};

const quickScale: Scale = {
  rounds: 2,
  roundMs: 1_000,
  warmUpMs: 1_000,
  aloneRounds: 2,
  aloneRoundMs: 500,
  subaccountsMany: 100,
  payoutsFew: 10_000,
  payoutsMany: 50_000,
  payoutsOfDay: 20_000,
  bankPayoutsFew: 1_000,
  bankPayoutsMany: 5_000,
  bankRounds: 2,
  importRows: 5_000,
  importRounds: 2,
  screenedReceivers: 20_000,
  receiversFew: 10_000,
  receiversMany: 50_000,
  deliveries: 4_000,
  waitingFew: 10_000,
  waitingMany: 50_000,
};

export type Options = { quick: boolean; measures: readonly MeasureName[]; scale: Scale };

export function readOptions(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const { quick, only } = values;
  const wanted = only?.split(",");
  const measures = measureNames.filter((name) => !wanted || wanted.includes(name));
  if (measures.length !== (wanted ?? measureNames).length) {
    throw new Error(`there is no "${only}"; --only takes some of ${measureNames.join(", ")}`);
  }
  return { quick, measures, scale: quick ? quickScale : fullScale };
}
