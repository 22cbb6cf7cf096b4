// kill -9 of rotations and of the service, while payouts, accounts and deliveries go on.

import { rotateUnderKills } from "../../server/test/scenarios/master-key-run.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

export const masterKey: Campaign = {
  promise:
    "while data keys are rotated and rotations and services are killed, every value can be decrypted, and in the end none is under an old key",
  runs: 30,
  prove,
};

async function prove({ postgres, runs, seed, onRun }: CampaignParts): Promise<Proved> {
  const options = { kills: runs, seed, accounts: 5_000, onKill: onRun };
  const seen = await postgres.withDatabase((parts) => rotateUnderKills(parts, options));
  const { paid, accountsRead, secretsRepeated, cut, killed, rotations, values, keys } = seen;
  return {
    runs,
    steps: paid + accountsRead + secretsRepeated,
    counts: {
      calls: {
        "payouts created": paid,
        "account numbers read": accountsRead,
        "stored responses with a secret sent again": secretsRepeated,
        "cut off by a kill, and repeated": cut,
      },
      kills: {
        "of a service": killed.service,
        "of the command, as it started": killed.starting,
        "of the command, while processes loaded the key": killed.loading,
        "of the command, while processes began to write with it": killed.switching,
        "of the command, while it encrypted": killed.encrypting,
      },
      rotations: { finished: rotations.finished, interrupted: rotations.interrupted, keys },
      "values in the end": {
        ...{ decrypted: values.readable, "not decrypted": values.unreadable },
        "under an old key": values.underOldKeys,
      },
      events: { received: seen.received, missing: seen.missing.length },
    },
    ...failureOf(seed, seen.complaints),
  };
}
