// Screens receivers and accounts again, against the entries that changed since the set of their record. A page is one
// transaction: hits, the holds of payouts and the new set are committed together. A killed process loses its page only.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  buildScreeningIndex,
  endHits,
  firstRecordGroup,
  firstRecordPlace,
  type HoldPayouts,
  type LoadedSet,
  listGroupsBehind,
  loadChangedEntries,
  lockRecords,
  openHits,
  type RecordGroup,
  type RecordPlace,
  raiseRecords,
  type ScreeningIndex,
} from "../screening/index.ts";
import { holdReceivers, screenAll } from "./screen-page.ts";
import { readSubjects } from "./subject-queries.ts";

type RescreenParts = {
  db: Db;
  seal: Seal;
  /** The set in memory, which records are raised to. */
  loaded: LoadedSet;
  hold: HoldPayouts;
  clock: () => number;
  isStopping: () => boolean;
  /** Called with each page. */
  onPage?: (page: RescreenedPage) => void;
};

export type RescreenedPage = { records: number; compared: number; hits: number };

/**
 * Raises every record below the set. Each round gives every subaccount one page, so that none waits for another one's
 * million. Several processes may do it at once: each skips the records that another one has locked.
 */
export async function rescreen(parts: RescreenParts): Promise<void> {
  const { db, loaded, isStopping, onPage } = parts;
  const { setId } = loaded;
  const indexes = changedIndexes(db, loaded);
  const places = new Map<string, RecordPlace>();
  let isBehind = true;
  while (isBehind && !isStopping()) {
    isBehind = false;
    let after: RecordGroup = firstRecordGroup;
    let groups: RecordGroup[];
    do {
      groups = await listGroupsBehind(db, { after, setId, limit: limits.screeningGroupsMax });
      for (const group of groups) {
        if (isStopping()) return;
        const name = `${group.setId} ${group.subaccountId}`;
        const from = places.get(name) ?? firstRecordPlace;
        const index = await indexes(group.setId);
        const page = await rescreenPage(parts, group, { from, index });
        onPage?.(page);
        if (page.next) places.set(name, page.next);
        else places.delete(name);
        // Records that were skipped are visited once more. Where all are locked, another process screens them.
        if (page.records > 0) isBehind = true;
      }
      after = groups.at(-1) ?? firstRecordGroup;
    } while (groups.length === limits.screeningGroupsMax);
  }
  if (!isStopping()) await endHits(db, { setId, atMs: parts.clock() });
}

/** The index of the entries that changed between a set and the current one. Undefined: none did. */
function changedIndexes(db: Db, { setId, index }: LoadedSet) {
  const known = new Map<number, Promise<ScreeningIndex | undefined>>([[0, Promise.resolve(index)]]);
  return (since: number): Promise<ScreeningIndex | undefined> => {
    const found = known.get(since) ?? build(since);
    known.set(since, found);
    return found;
  };
  async function build(since: number): Promise<ScreeningIndex | undefined> {
    const entries = await loadChangedEntries(db, since, setId);
    return entries.length === 0 ? undefined : buildScreeningIndex(entries);
  }
}

type Page = RescreenedPage & { next: RecordPlace | undefined };

function rescreenPage(
  { db, seal, loaded: { setId }, hold, clock }: RescreenParts,
  group: RecordGroup,
  { from, index }: { from: RecordPlace; index: ScreeningIndex | undefined },
): Promise<Page> {
  const limit = limits.screeningPageMax;
  return db.transaction(async (tx) => {
    const records = await lockRecords(tx, group, { after: from, limit });
    const last = records.at(-1);
    if (!last) return { records: 0, compared: 0, hits: 0, next: undefined };
    const atMs = clock();
    // Read after the lock: a change of a receiver writes its record too, so it came before or waits for us.
    const subjects = index ? await readSubjects({ db: tx, seal }, group.subaccountId, records) : [];
    const screened = index ? await screenAll(index, subjects, setId) : [];
    const opened = await openHits(tx, screened, atMs);
    await raiseRecords(tx, records, { setId, atMs });
    await holdReceivers(tx, hold, opened, atMs);
    return {
      records: records.length,
      compared: subjects.length,
      hits: opened.length,
      next: records.length < limit ? undefined : { kind: last.subject_kind, id: last.subject_id },
    };
  });
}
