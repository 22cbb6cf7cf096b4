// Reads a hit as a case: the receiver beside every list entry that may be the same person, and the payouts that wait for it.

import { type HeldRow, hitVersionOf, listHeldPayouts } from "../../../../money/hits/index.ts";
import { makersOf } from "../../../../money/payouts/index.ts";
import { findPersonKey, type ReceiverKey } from "../../../../people/receivers/index.ts";
import { listReviewNotes, makersOfHit } from "../../../../people/reviews/index.ts";
import {
  findHit,
  type HitKey,
  type HitRow,
  listHitsOfReceiver,
  openEvidence,
} from "../../../../people/screening/index.ts";
import { toNumber } from "../../../../platform/base/index.ts";
import type { Db, Runner } from "../../../../platform/db/index.ts";
import type { Seal } from "../../../../platform/encryption/index.ts";
import { conflictsOf, isOneUserEnough } from "../../../../tenants/four-eyes/index.ts";
import type { User } from "../../../../tenants/roles/index.ts";
import { listAccountLines } from "../../receivers/account-queries.ts";
import { whyNotApprove } from "../../why-not.ts";
import { readCaseFields } from "../case-fields.ts";
import { notesAbout } from "../notes.ts";
import { findListEntry } from "./queries.ts";
import type { HeldLine, HitCase, HitEntry, HitLine } from "./schema.ts";

export type CaseReader = { user: User; who: string; nowMs: number };

export async function readHitCase(
  { db, seal }: { db: Db; seal: Seal },
  key: HitKey,
  reader: CaseReader,
): Promise<HitCase | undefined> {
  const hit = await findHit(db, key);
  if (!hit) return undefined;
  const receiverKey: ReceiverKey = { subaccountId: key.subaccountId, id: hit.receiver_id };
  const since = Number(hit.opened_at_ms);
  const [fields, hits, held, notes, accounts, personKey] = await Promise.all([
    readCaseFields({ db, seal }, receiverKey, {
      since,
      userId: reader.user.id,
      nowMs: reader.nowMs,
    }),
    listHitsOfReceiver(db, { subaccountId: key.subaccountId, receiverId: hit.receiver_id }),
    listHeldPayouts(db, receiverKey),
    listReviewNotes(db, receiverKey),
    hit.subject_kind === "account" ? listAccountLines(db, receiverKey) : [],
    findPersonKey({ db, seal }, receiverKey),
  ]);
  if (!fields) return undefined;
  const account = accounts.find(({ id }) => id === hit.subject_id);
  const together = hits.filter((other) => isOfSamePerson(other, hit));
  const apart = hits.filter((other) => other.id !== hit.id && !together.includes(other));
  const present = (one: HitRow) => presentEntry(db, one, { ...reader, personKey, fields });
  return {
    kind: "hit",
    ...fields,
    waits: hit.status === "open",
    ...(await present(hit)),
    others: await Promise.all(together.map(present)),
    account: account
      ? {
          id: account.id,
          business_name: account.business_name,
          account_number: account.account_number,
          bank_name: account.bank_name,
          country: account.country,
        }
      : null,
    other_hits: apart.map(presentHit),
    held: await presentHeld(db, held, {
      hasOther: apart.length > 0,
      reader,
      of: hit.subaccount_id,
    }),
    notes: [hit, ...together].flatMap(({ id }) => notesAbout(notes, id)),
  };
}

/** Another open hit of the same person of ours. An embargoed country is no person. */
function isOfSamePerson(other: HitRow, hit: HitRow): boolean {
  return (
    other.id !== hit.id &&
    [other, hit].every(({ status }) => status === "open") &&
    other.subject_kind === hit.subject_kind &&
    other.subject_id === hit.subject_id &&
    (other.list === "embargo") === (hit.list === "embargo")
  );
}

async function presentEntry(
  db: Db,
  hit: HitRow,
  {
    personKey,
    fields,
    ...reader
  }: CaseReader & {
    personKey: Awaited<ReturnType<typeof findPersonKey>>;
    fields: Pick<HitCase, "receiver">;
  },
): Promise<HitEntry> {
  const [entry, conflict, isOneEnough] = await Promise.all([
    findListEntry(db, hit),
    conflictWith(db, hit, reader),
    isOneUserEnough(db, hit.subaccount_id),
  ]);
  const { subject, is_weak, words, dob, country } = openEvidence(personKey, hit);
  const isOpen = hit.status === "open";
  const first = firstOf(hit, reader.who);
  return {
    id: hit.id,
    version: hitVersionOf(hit, fields.receiver),
    hit: {
      ...presentHit(hit),
      entry_key: hit.entry_key,
      subject: hit.subject_kind,
      first,
      decided: decidedOf(hit),
    },
    compared: { subject, is_weak, words, dob, country },
    entry: entry
      ? {
          kind: entry.kind,
          names: entry.names.map(({ text, isWeak }) => ({ text, is_weak: isWeak })),
          birth_dates: entry.birthDates,
          countries: entry.countries,
          program: entry.program,
          remarks: entry.remarks,
        }
      : null,
    decisions: {
      // A third user may correct the two who said that it is the same person.
      different: conflict === undefined && (isOpen || hit.status === "same"),
      why_not_different: whyNotApprove(reader.user, "receivers.review", conflict),
      same: isOpen && !first?.is_mine,
      needs_second: first === null && !isOneEnough,
    },
  };
}

/** Why this user can't say that it is a different person. */
async function conflictWith(db: Db, hit: HitRow, { who }: Pick<CaseReader, "who">) {
  const firsts = hit.status === "same" ? [hit.same_by, hit.decided_by] : [];
  const makers = [...(await makersOfHit(db, hit)), ...firsts];
  return (await conflictsOf(db, [makers], { who, in: hit.subaccount_id }))[0];
}

export function presentHit(hit: HitRow): HitLine {
  const { id, list, score, status, explanation } = hit;
  const opened_at = Number(hit.opened_at_ms);
  return { id, list, listed_name: explanation.listed_name, score, status, opened_at };
}

function firstOf(hit: HitRow, who: string): HitCase["hit"]["first"] {
  if (hit.same_by === "") return null;
  const at = Number(hit.same_at_ms);
  return { who: hit.same_by, is_mine: hit.same_by === who, at, reason: hit.reason };
}

function decidedOf({ status, decided_by, decided_at_ms, reason }: HitRow) {
  if (status === "open" || decided_by === "") return null;
  return { who: decided_by, at: Number(decided_at_ms), reason };
}

/** Whether this user could release each payout together with the hits of the case. */
async function presentHeld(
  db: Runner,
  held: readonly HeldRow[],
  { hasOther, reader, of }: { hasOther: boolean; reader: CaseReader; of: string },
): Promise<HeldLine[]> {
  const { user, who } = reader;
  const conflicts = await conflictsOf(db, held.map(makersOf), { who, in: of });
  return held.map((row, index) => ({
    payout_id: row.id,
    amount: toNumber(BigInt(row.amount)),
    currency: row.currency,
    reference: row.reference,
    since: Number(row.since_ms),
    why_not: hasOther
      ? "Another hit holds it"
      : row.reasons.some(({ kind }) => kind !== "screening")
        ? "A rule holds it too"
        : whyNotApprove(user, "payouts.release", conflicts[index]),
  }));
}
