// disburse screening status | hits

import type { Command } from "commander";
import { findPersonKey } from "../../people/receivers/index.ts";
import { countUnrecorded } from "../../people/reviews/index.ts";
import {
  firstHitPlace,
  type HitRow,
  listOpenHits,
  listVersionStatus,
  openEvidence,
} from "../../people/screening/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { withDatabase } from "./database.ts";
import { readCount, readUuid } from "./option-values.ts";
import { print, time } from "./output.ts";

type StatusOptions = { json?: boolean; subaccount?: string };

export function addScreeningHitCommands(screening: Command): void {
  screening
    .command("status")
    .description(
      "for each list: receivers and accounts that were screened against it, and those left",
    )
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--json", "print JSON")
    .action((options: StatusOptions) =>
      withDatabase("screening status", async ({ db }) => {
        const { subaccount } = options;
        // Without a record a subject was screened against no list.
        const unrecorded = await countUnrecorded(db, subaccount);
        const versions = await listVersionStatus(db, subaccount);
        print(
          versions.map(({ list, publishedDay, entries, setId, complete, behind }) => ({
            list,
            published: publishedDay,
            entries,
            set: setId,
            complete,
            behind: behind + unrecorded,
          })),
          options,
        );
      }),
    );

  screening
    .command("hits")
    .description("open hits, the oldest first; users decide them in the console")
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--limit <count>", "maximum number of hits", readCount, limits.listDefault)
    .option("--json", "print JSON, with the explanation of each hit")
    .action((options: StatusOptions & { limit: number }) =>
      withDatabase("screening hits", async ({ db, seal }) => {
        const { subaccount: subaccountId, limit } = options;
        const hits = await listOpenHits(db, { subaccountId, after: firstHitPlace, limit });
        const full = () => Promise.all(hits.map((hit) => inFull({ db, seal }, hit)));
        print(options.json ? await full() : hits.map(inShort), options);
      }),
    );
}

function inShort(hit: HitRow) {
  return {
    hit: hit.id,
    subaccount: hit.subaccount_id,
    receiver: hit.receiver_id,
    list: hit.list,
    entry: hit.entry_key,
    listed_name: hit.explanation.listed_name,
    score: hit.score.toFixed(2),
    since: time(hit.opened_at_ms),
  };
}

async function inFull(reading: { db: Db; seal: Seal }, hit: HitRow) {
  const { id, subaccount_id, receiver_id, subject_kind, subject_id, list, entry_key } = hit;
  const { score, opened_at_ms, same_by } = hit;
  const receiver = { subaccountId: subaccount_id, id: receiver_id };
  const explanation = openEvidence(await findPersonKey(reading, receiver), hit);
  const subject = { subaccount_id, receiver_id, subject_kind, subject_id };
  return { id, ...subject, list, entry_key, score, explanation, opened_at_ms, same_by };
}
