// Screening: creating receivers with 30,000 listed names against none, and screening receivers again after a new version
// of a list.

import { indexNames } from "../../packages/name-matching/src/name-index.ts";
import { prepareName } from "../../packages/name-matching/src/prepare.ts";
import { madeUpNames } from "../../packages/name-matching/test/made-up-names.ts";
import type { ListEntry } from "../../server/src/people/list-files/list-entry.ts";
import { rescreen } from "../../server/src/people/reviews/rescreen.ts";
import { loadSet } from "../../server/src/people/screening/screener.ts";
import { masterKeyBytes, sealWith } from "../../server/src/platform/encryption/seal.ts";
import { person, putList } from "../../server/test/scenarios/screening-lists.ts";
import {
  addPeople,
  type MadeUpName,
  plantedEntry,
  strangers,
} from "../../server/test/scenarios/screening-people.ts";
import { creating } from "../creating.ts";
import { type Database, settle } from "../database.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { say } from "../progress.ts";
import { atLeast, atMost } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";
import type { Server } from "../server-process.ts";
import { timed } from "../service-times.ts";

const list = "un";
const names = 30_000;
/** Different names of receivers, before those on the list are taken out. */
const receivers = 50_000;
const seed = 17;
/** Entries that the new version of the list adds. */
const changed = 20;

export const measureScreening: Measure = async ({ postgres, servers, scale }) => {
  const without = await postgres.createDatabase("screening_without");
  const withList = await postgres.createDatabase("screening_with");
  const entries = madeUpNames(names, seed).map(({ kind, text }, number) =>
    person(`S${number}`, text, { kind }),
  );
  const unlisted = namesOnNoList(entries);
  await putList(withList.db, list, entries);
  const plainServer = await servers.disburse(without);
  const screeningServer = await servers.disburse(withList);
  const load = ({ port, pid: service }: Server, database: Database) =>
    timed({ service, postgres: postgres.pid }, creating({ port, database, names: unlisted }));
  const figures = await interleave(
    [
      { name: "created, no list", run: load(plainServer, without) },
      { name: `created, ${names} names`, run: load(screeningServer, withList) },
    ],
    scale,
  );
  await Promise.all([plainServer.stop(), screeningServer.stop()]);
  const again = await screenAgain(await postgres.createDatabase("screening_again"), {
    receivers: scale.screenedReceivers,
    entries: strangers(names),
  });

  const [plain, screened] = Object.values<Figure>(figures) as [Figure, Figure];
  const usOf = ({ serviceUs = 0, postgresUs = 0 }: Figure) => serviceUs + postgresUs;
  const [before, after] = [usOf(plain), usOf(screened)];
  return {
    title: "Screening",
    how:
      `${connectionsUnderLoad} connections create receivers with made-up names that are on no list, signed; then ` +
      `${scale.screenedReceivers} receivers are screened against ${changed} new entries of ${names + changed}`,
    figures: [...Object.values(figures), again.figure],
    requirements: [
      atLeast(
        "create receiver: with screening / without",
        screened.perSecond / plain.perSecond,
        0.7,
      ),
      atMost("processor time: screening / creating", (after - before) / before, 1),
    ],
    notes: [
      `screening again: ${again.compared} compared, all ${again.planted} planted people were found; ` +
        `${again.megabytes} MiB of memory for both indexes and the work`,
    ],
  };
};

/** Names of people as common as those of the list, but of nobody on it. */
function namesOnNoList(entries: readonly ListEntry[]): MadeUpName[] {
  const listed = entries.map(({ key, names: [name] }) => ({
    entry: key,
    name: prepareName(name?.text ?? "", "person"),
  }));
  const index = indexNames(listed);
  return madeUpNames(receivers, seed + 1)
    .filter(({ text }) => index.find(prepareName(text, "person")).length === 0)
    .map(({ text }) => {
      const [first_name = "", ...others] = text.split(" ");
      return { first_name, last_name: others.join(" ") };
    });
}

async function screenAgain(
  { db, caller }: Database,
  { receivers, entries }: { receivers: number; entries: readonly ListEntry[] },
) {
  const setId = await putList(db, list, entries);
  say(`${receivers} receivers with records`);
  const plantedEvery = Math.floor(receivers / changed);
  const { subaccountId } = caller;
  await addPeople(db, { subaccountId, count: receivers, plantedEvery, setId });
  await settle(db);
  const planted = Array.from({ length: changed }, (_, number) => plantedEntry(number));
  await putList(db, list, [...entries, ...planted]);

  globalThis.gc?.();
  const startBytes = process.memoryUsage().rss;
  let peakBytes = startBytes;
  const loaded = await loadSet(db);
  if (!loaded) throw new Error("there is a list");
  const total = { records: 0, compared: 0, hits: 0 };
  say(`${receivers} receivers are screened again`);
  const startMs = performance.now();
  await rescreen({
    db,
    // Its receivers are in the clear.
    seal: sealWith(Buffer.alloc(masterKeyBytes)),
    loaded,
    hold: async () => {},
    clock: Date.now,
    isStopping: () => false,
    onPage({ records, compared, hits }) {
      total.records += records;
      total.compared += compared;
      total.hits += hits;
      peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
    },
  });
  const perSecond = (total.records * 1000) / (performance.now() - startMs);
  if (total.records !== receivers) throw new Error(`${total.records} records were raised`);
  const { rows } = await db.pool.query<{ found: string }>(
    `select count(distinct c.reference) as found from screening_hit h
     join receiver c on c.subaccount_id = h.subaccount_id and c.id = h.receiver_id
     where h.status = 'open' and h.entry_key = c.reference`,
  );
  if (Number(rows[0]?.found) !== changed) throw new Error("a planted person was not found");
  const figure: Figure = {
    variant: `screened again, ${receivers}`,
    rounds: 1,
    perSecond,
    perSecondLowest: perSecond,
    perSecondHighest: perSecond,
    p50Ms: undefined,
    p99Ms: undefined,
  };
  const megabytes = Math.round((peakBytes - startBytes) / 1024 / 1024);
  return { figure, compared: total.compared, planted: changed, megabytes };
}
