// Bank files of random payouts, read by the bank simulator, whose readers share nothing with our writers.

import { runBankFiles } from "../../packages/bank-simulator/test/bank-files-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const bankFiles: Campaign = {
  promise: "a bank reads every file with the same count, sum, hash total and receivers",
  runs: 10_000,
  prove,
};

async function prove({ runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const { payouts, files, refused, complaints } = runBankFiles(runs, seed, onRun);
  return {
    runs,
    steps: files,
    counts: {
      payouts,
      files: { "read by the bank": files, complaints: complaints.length },
      "payouts that were not written": { "of which the format can't write name or text": refused },
    },
    ...failureOf(seed, complaints),
  };
}
