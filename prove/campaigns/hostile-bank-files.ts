// Bank files of the largest size that can be uploaded, in shapes that are hard to read.

import { uploadHostileFiles } from "../../server/test/scenarios/hostile-bank-files-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const blockedMsMax = 50;

export const hostileBankFiles: Campaign = {
  promise: `no bank file of 3 MB, in any format and shape, blocks the event loop for more than ${blockedMsMax} ms`,
  /** Bytes of each file. */
  runs: 3_000_000,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const uploads = await postgres.withDatabase((parts) =>
    uploadHostileFiles(parts, { bytes: runs, onFile: onRun }),
  );
  const said = uploads
    .filter(({ status, blockedMs }) => status >= 500 || blockedMs > blockedMsMax)
    .map(({ name, status, blockedMs }) => `${name}: ${status}, ${blockedMs} ms`);
  const counts = {
    "milliseconds of the longest turn": Object.fromEntries(
      uploads.map(({ name, blockedMs }) => [name, blockedMs]),
    ),
    status: Object.fromEntries(uploads.map(({ name, status }) => [name, status])),
  };
  return { runs: uploads.length, steps: uploads.length * runs, counts, ...failureOf(seed, said) };
}
