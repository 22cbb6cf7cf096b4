// Gives receivers of before keys of their own, while the service runs: announce, wait until no process of the version before
// is left, switch, and then encrypt in portions what is in the clear. Each step is committed, so it goes on where it stopped.

import { setTimeout as sleep } from "node:timers/promises";
import {
  ifReadable,
  personKeyIdentity,
  personKeyOf,
  sealContact,
  sealPerson,
} from "../../people/person/index.ts";
import { hashOfSubject, sealEvidence } from "../../people/screening/index.ts";
import { findKeys, notifyOfDataKeys, updatePersonKeys } from "../../platform/data-keys/index.ts";
import type { Db, Runner } from "../../platform/db/index.ts";
import {
  type KeyRing,
  keyIdOf,
  ofPersonKeys,
  type PersonKey,
  type Seal,
} from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import { listHeads, updateValues } from "./column-queries.ts";
import { type EncryptedColumn, encryptedColumns, type KeyValues } from "./encrypted-columns.ts";
import {
  type HitInTheClear,
  listInTheClear,
  listPersonValues,
  lockAccountsInTheClear,
  lockHitsInTheClear,
  lockReceiversInTheClear,
  type RowKey,
  updateContacts,
  updateHits,
  updatePersons,
} from "./person-key-queries.ts";
import { untilLoaded, untilTransactionsEnd, withRotationLock } from "./rotate.ts";

const keysPerPage = 5_000;
const rowsPerPortion = 200;

export type PersonKeysStep =
  | { kind: "announced" | "current" }
  | { kind: "waiting"; processes: number }
  | { kind: "encrypted"; rows: number };

type PersonKeysParts = {
  db: Db;
  seal: Seal;
  ring: KeyRing;
  actor: Actor;
  /** Ends the walk after the current portion. */
  signal: AbortSignal;
  onStep: (step: PersonKeysStep) => void;
};

type Locked = PersonKeysParts & { session: Pick<Runner, "run"> };

export type PersonKeysGiven = {
  /** Receivers, accounts, account numbers and proposals that were encrypted. */
  encrypted: number;
  /** Values that can't be decrypted, and stay as they are: table, column and key. */
  unreadable: string[];
  isStopped: boolean;
};

/** Goes on with a walk that was interrupted, or begins one. Stopped by its signal, it can be called again. */
export function givePersonKeys(parts: PersonKeysParts): Promise<PersonKeysGiven> {
  return withRotationLock(parts.db, (session, lost) =>
    giveLocked({ ...parts, session, signal: AbortSignal.any([parts.signal, lost]) }),
  );
}

async function giveLocked(parts: Locked): Promise<PersonKeysGiven> {
  const { db, ring, signal, onStep } = parts;
  const loading = {
    db,
    signal,
    onWait: (processes: number) => onStep({ kind: "waiting", processes }),
  };
  const stopped = { encrypted: 0, unreadable: [], isStopped: true };
  const { personKeys: state } = await findKeys(db);
  if (state !== "current") {
    if (state === null) await announce(parts);
    onStep({ kind: "announced" });
    // A process of the version before can't load this, and so keeps the command waiting until it ends.
    if (!(await untilLoaded(loading, () => true))) return stopped;
    await switchOn(parts);
    onStep({ kind: "current" });
  }
  if (!(await untilLoaded(loading, () => ring.givesPersonKeys))) return stopped;
  return walkAll(parts);
}

async function announce({ db, seal, actor }: Locked): Promise<void> {
  const object = { kind: "installation", id: "person_keys" };
  await audited({ db, seal }, actor).transaction(
    { action: "master_key.person_keys", object },
    async (tx) => {
      await updatePersonKeys(tx, "announced");
      await notifyOfDataKeys(tx);
    },
  );
}

async function switchOn({ db }: Locked): Promise<void> {
  await db.transaction(async (tx) => {
    await updatePersonKeys(tx, "current");
    await notifyOfDataKeys(tx);
  });
}

/** Walks until a whole walk has found nothing to do. */
async function walkAll(parts: Locked): Promise<PersonKeysGiven> {
  const { signal, onStep } = parts;
  let encrypted = 0;
  const onPortion = (rows: number) => {
    encrypted += rows;
    onStep({ kind: "encrypted", rows: encrypted });
  };
  for (;;) {
    // An account that is written now may follow its receiver as it was before.
    await untilTransactionsEnd(parts);
    const unreadable: string[] = [];
    let changed = await walkRows(parts, "receivers", onPortion);
    changed += await walkRows(parts, "accounts", onPortion);
    for (const column of valueColumns) {
      const walked = await walkValues(parts, column, onPortion);
      changed += walked.changed;
      unreadable.push(...walked.unreadable);
    }
    if (signal.aborted || changed === 0) {
      return { encrypted, unreadable, isStopped: signal.aborted };
    }
  }
}

/** The columns whose values were under data keys before. */
const valueColumns = encryptedColumns.filter(
  ({ table, receiver }) => receiver !== undefined && table.startsWith("bank_details"),
);

type OnPortion = (rows: number) => void;

async function walkRows(
  parts: Locked,
  kind: "receivers" | "accounts",
  onPortion: OnPortion,
): Promise<number> {
  const { db, signal } = parts;
  const sealPortion = kind === "receivers" ? sealReceivers : sealAccounts;
  let changed = 0;
  let after: RowKey | undefined;
  do {
    const page = await listInTheClear(db, kind, { after, limit: keysPerPage });
    changed += await inPortions(page.due, signal, (keys) => sealPortion(parts, keys), onPortion);
    after = page.next;
  } while (after && !signal.aborted);
  return changed;
}

/** Half of the time is left to the service. */
async function inPortions<Key>(
  due: readonly Key[],
  signal: AbortSignal,
  work: (keys: readonly Key[]) => Promise<number>,
  onPortion: OnPortion,
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < due.length && !signal.aborted; from += rowsPerPortion) {
    const startMs = performance.now();
    const rows = await work(due.slice(from, from + rowsPerPortion));
    changed += rows;
    onPortion(rows);
    await sleep(performance.now() - startMs);
  }
  return changed;
}

function sealReceivers({ db, seal }: Locked, keys: readonly RowKey[]): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await lockReceiversInTheClear(tx, keys);
    const personKeys = new Map<string, PersonKey>();
    const sealed = rows.map((row) => {
      const { subaccount_id, id } = row;
      const { key, stored } = seal.newPersonKey(personKeyIdentity(subaccount_id, id));
      personKeys.set(`${subaccount_id} ${id}`, key);
      return { ...sealPerson(seal, key, row), subaccount_id, id, person_key: stored };
    });
    await updatePersons(tx, sealed);
    const hits = await lockHitsInTheClear(tx, rows);
    const keyOf = (hit: HitInTheClear) => personKeys.get(`${hit.subaccount_id} ${hit.receiver_id}`);
    if (hits.length > 0)
      await updateHits(
        tx,
        hits.map((hit) => sealHit(hit, keyOf(hit))),
      );
    return rows.length;
  });
}

/** A decided hit stays decided: its new hash is about the same subject. */
function sealHit(hit: HitInTheClear, personKey: PersonKey | undefined): HitInTheClear {
  const { subaccount_id: subaccountId, receiver_id: receiverId, explanation } = hit;
  const { name, dob, country } = explanation.subject;
  const names = [{ text: name, kind: "person" as const }];
  const ofReceiver = { kind: "receiver" as const, subaccountId, id: receiverId, receiverId };
  const subject = { ...ofReceiver, names, dob, country };
  const isKnown = hit.subject_hash === hashOfSubject({ ...subject, personKey: undefined });
  return {
    ...hit,
    subject_hash: isKnown ? hashOfSubject({ ...subject, personKey }) : hit.subject_hash,
    explanation: sealEvidence({ personKey, subaccountId, receiverId }, explanation),
  };
}

function sealAccounts({ db, seal }: Locked, keys: readonly RowKey[]): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await lockAccountsInTheClear(tx, keys);
    const sealed = rows.map((row) => {
      const { subaccount_id, id, receiver_id, person_key } = row;
      const key = personKeyOf(seal, subaccount_id, { id: receiver_id, person_key });
      const account = { subaccountId: subaccount_id, id };
      const { contact_sealed } = sealContact(key, account, row);
      if (!contact_sealed) throw new Error("a receiver with a key must have it");
      return { subaccount_id, id, contact_sealed };
    });
    await updateContacts(tx, sealed);
    return rows.length;
  });
}

async function walkValues(
  parts: Locked,
  column: EncryptedColumn,
  onPortion: OnPortion,
): Promise<{ changed: number; unreadable: string[] }> {
  const { db, ring, signal } = parts;
  const unreadable: string[] = [];
  let changed = 0;
  let after: KeyValues | undefined;
  do {
    const page = await listHeads(db, column, { after, limit: keysPerPage });
    const due = page.rows
      .filter(({ head }) => keyIdOf(head, ring.originalId) !== ofPersonKeys)
      .map(({ key }) => key);
    const seal = (keys: readonly KeyValues[]) => sealValues(parts, column, keys, unreadable);
    changed += await inPortions(due, signal, seal, onPortion);
    after = page.next;
  } while (after && !signal.aborted);
  return { changed, unreadable };
}

/** A value that changes meanwhile is left to the next walk. */
async function sealValues(
  { db, seal, ring }: Locked,
  column: EncryptedColumn,
  keys: readonly KeyValues[],
  unreadable: string[],
): Promise<number> {
  const values = new Map(
    (await listPersonValues(db, column, keys)).map((value) => [value.key.join(), value]),
  );
  // In the order of the keys, in which the rows are locked.
  const found = keys.map((key) => values.get(key.join())).filter((value) => value !== undefined);
  const again = found
    .filter(({ sealed }) => keyIdOf(sealed, ring.originalId) !== ofPersonKeys)
    .flatMap(({ key, sealed: before, subaccount_id, receiver_id: id, person_key }) => {
      const identity = column.identityOf(...key);
      const sealed = ifReadable(() =>
        personKeyOf(seal, subaccount_id, { id, person_key })?.encrypt(
          seal.decrypt(before, identity),
          identity,
        ),
      );
      if (sealed) return [{ key, before, sealed }];
      unreadable.push(`${column.table}.${column.column} ${key.join(" ")}`);
      return [];
    });
  if (again.length === 0) return 0;
  return db.transaction(async (tx) => (await updateValues(tx, column, again)).length);
}

/** Receivers that have no key of their own, without erased ones. */
export async function countInTheClear(db: Db): Promise<number> {
  let count = 0;
  let after: RowKey | undefined;
  do {
    const page = await listInTheClear(db, "receivers", { after, limit: keysPerPage });
    count += page.due.length;
    after = page.next;
  } while (after);
  return count;
}
