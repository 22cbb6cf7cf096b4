// Screening again under kill -9: two processes raise the records of many receivers to new versions of a list, and one of
// them is killed in the middle, again and again. In the end the open hits are those of a screening from scratch.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { loadSet } from "../../src/people/screening/screener.ts";
import { receiverSubject, type ScreenedReceiver } from "../../src/people/screening/subject.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { programPath } from "../support/programs.ts";
import { putList } from "./screening-lists.ts";
import { addPeople, plantedEntry, strangers } from "./screening-people.ts";
import { drawOf } from "./seeded-draw.ts";

type ScreeningKills = {
  db: Db;
  seal: Seal;
  url: string;
  receivers: number;
  plantedEvery: number;
  kills: number;
  seed: number;
  onKill?: (killed: number) => void;
};

export type ScreeningKillsSeen = {
  receivers: number;
  planted: number;
  versions: number;
  killed: number;
  /** Kills at which some records were at the new set and others were not. */
  killedInTheMiddle: number;
  hits: number;
  complaints: string[];
};

const list = "un";
const patienceMs = 600_000;

export async function killScreening(options: ScreeningKills): Promise<ScreeningKillsSeen> {
  const { db, seal, receivers, plantedEvery, kills, onKill = () => {} } = options;
  const draw = drawOf(options.seed);
  const seen: ScreeningKillsSeen = {
    ...{ receivers, planted: 0, versions: 0, killed: 0, killedInTheMiddle: 0, hits: 0 },
    complaints: [],
  };
  // Two subaccounts, of which one is small.
  const others = strangers(300);
  let setId = await putList(db, list, others);
  const sizes = [receivers - Math.floor(receivers / 10), Math.floor(receivers / 10)];
  for (const count of sizes) {
    const { subaccountId } = await createSubaccount({ db, seal }, { name: "A", mode: "test" });
    seen.planted = Math.max(
      seen.planted,
      await addPeople(db, { subaccountId, count, plantedEvery, setId }),
    );
  }
  await db.pool.query("analyze");

  const processes = new Set<ChildProcess>();
  try {
    await Promise.all([startWorker(options, processes), startWorker(options, processes)]);
    while (seen.killed < kills) {
      if ((await behind(db, setId)) === 0) setId = await nextVersion();
      await sleep(draw.below(300));
      const left = await behind(db, setId);
      if (left > 0 && left < receivers) seen.killedInTheMiddle += 1;
      const [victim] = processes;
      if (!victim) throw new Error("two processes are running");
      await kill(victim, processes);
      seen.killed += 1;
      onKill(seen.killed);
      seen.complaints.push(...(await missingHits(db)));
      await startWorker(options, processes);
    }
    setId = await nextVersion();
    const endMs = Date.now() + patienceMs;
    while ((await behind(db, setId)) > 0 || (await staleHits(db, setId)) > 0) {
      if (Date.now() > endMs) throw new Error("the records are not complete in time");
      await sleep(50);
    }
  } finally {
    await Promise.all([...processes].map((process) => kill(process, processes)));
  }
  await compareWithScratch(db, seen);
  return seen;

  /** Each version adds some of the planted people, changes some and removes some. */
  async function nextVersion(): Promise<number> {
    seen.versions += 1;
    const planted = Array.from({ length: seen.planted }, (_, number) => number)
      .filter((number) => draw.below(seen.versions + 1) > 0 || number % 5 === seen.versions % 5)
      .map((number) => {
        const isChanged = number % 7 === seen.versions % 7;
        return plantedEntry(number, isChanged ? { remarks: `version ${seen.versions}` } : {});
      });
    const newSetId = await putList(db, list, [...others, ...planted]);
    await db.pool.query("notify disburse_screening_set");
    return newSetId;
  }
}

async function startWorker({ url }: ScreeningKills, processes: Set<ChildProcess>): Promise<void> {
  const child = spawn(process.execPath, [programPath("screening-worker")], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ["pipe", "pipe", "inherit"],
  });
  processes.add(child);
  await once(child.stdout, "data");
}

async function kill(child: ChildProcess, processes: Set<ChildProcess>): Promise<void> {
  processes.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function countOf({ pool }: Db, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(sql, values);
  return Number(rows[0]?.count);
}

const behind = (db: Db, setId: number) =>
  countOf(db, "select count(*) from screening_record where set_id < $1", [setId]);

/** Open hits whose entries are not in the set. */
const staleHits = (db: Db, setId: number) =>
  countOf(
    db,
    `select count(*) from screening_hit h where h.status = 'open' and not exists (
       select from screening_entry e where e.list = h.list and e.key = h.entry_key and e.hash = h.entry_hash
         and e.from_set <= $1 and (e.to_set is null or e.to_set > $1))`,
    [setId],
  );

/** At every moment: a planted person whose record says that it was screened against its entry has a hit on it. */
async function missingHits(db: Db): Promise<string[]> {
  const missing = await countOf(
    db,
    `select count(*) from receiver c
     join screening_record r on r.subaccount_id = c.subaccount_id and r.subject_id = c.id
     join screening_entry e on e.list = $1 and e.key = c.reference
       and e.from_set <= r.set_id and (e.to_set is null or e.to_set > r.set_id)
     where c.reference <> '' and not exists (
       select from screening_hit h where h.subaccount_id = c.subaccount_id and h.subject_id = c.id
         and h.entry_key = e.key and h.entry_hash = e.hash)`,
    [list],
  );
  return missing === 0 ? [] : [`${missing} people were recorded as screened without their hit`];
}

/** All receivers against the whole list, without the worker. */
async function compareWithScratch(db: Db, seen: ScreeningKillsSeen): Promise<void> {
  const loaded = await loadSet(db);
  if (!loaded) throw new Error("there is a list");
  const { rows: open } = await db.pool.query<{ hit: string }>(
    "select subject_id || ' ' || entry_key || ' ' || entry_hash as hit from screening_hit where status = 'open'",
  );
  const found = new Set(open.map(({ hit }) => hit));
  seen.hits = found.size;
  if (found.size !== open.length) seen.complaints.push("a hit is open twice");
  let afterId = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await db.pool.query<ScreenedReceiver>(
      `select subaccount_id, id, first_name, middle_name, last_name, dob, country from receiver
       where id > $1 order by id limit $2`,
      [afterId, limits.screeningPageMax],
    );
    const expected = loaded.index.screen(rows.map((row) => receiverSubject(row)));
    for (const [at, row] of rows.entries()) {
      for (const { entryKey, entryHash } of expected[at] ?? []) {
        if (!found.delete(`${row.id} ${entryKey} ${entryHash}`)) {
          seen.complaints.push(`receiver ${row.id} has no hit on ${entryKey}`);
        }
      }
    }
    const last = rows.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  for (const hit of found) seen.complaints.push(`no name matches the hit ${hit}`);
}
