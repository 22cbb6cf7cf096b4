// Everything that is held about one person, as one JSON document for that person.

import { presentPayout } from "../../money/payouts/index.ts";
import { listReports } from "../../people/kyc/index.ts";
import { ifReadable, openContact, openNumberWith, personKeyOf } from "../../people/person/index.ts";
import { findReceivers, listHistory, type ReceiverKey } from "../../people/receivers/index.ts";
import { newestId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import { idField, input } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call } from "../../tenants/acts/index.ts";
import { recordAct } from "../../tenants/audit/index.ts";
import {
  findPerson,
  listPersonAccounts,
  listPersonEvents,
  listPersonPayouts,
  listPersonReviews,
  type PersonAccountRow,
} from "./person-queries.ts";

/** More than any person has. */
const rowsMax = 10_000;

const timeOf = (ms: string | number) => new Date(Number(ms)).toISOString();

/** The document as text, indented, because a person reads it. It holds whole account numbers, so it is recorded first. */
export const exportReceiver = call({
  name: "receiver.export",
  tokens: "logins",
  summary: "write everything that is held about a receiver, as JSON for that person",
  object: "receiver",
  may: "receivers.privacy",
  stepUp: true,
  in: "subaccount",
  doors: ["console", "cli"],
  input: input({ id: idField("CONS110") }),
  async perform({ db, seal, clock }: ActParts, { actor, subaccount }: ActBy, { id }) {
    const key = { subaccountId: subaccount?.id ?? "", id };
    const document = await exportPerson({ db, seal }, key, clock());
    const entry = { action: "receiver.export", object: { kind: "receiver", id } };
    await db.transaction((tx) => recordAct({ tx, seal }, actor, entry));
    return { id, text: `${JSON.stringify(document, null, 2)}\n` };
  },
});

export async function exportPerson(
  { db, seal }: { db: Db; seal: Seal },
  key: ReceiverKey,
  atMs: number,
): Promise<object> {
  const [[receiver], person] = await Promise.all([
    findReceivers({ db, seal }, [key]),
    findPerson(db, key),
  ]);
  if (!receiver || !person) throw new Refusal("REVR101");
  const payouts = await listPersonPayouts(db, key);
  const payoutIds = payouts.map(({ id }) => id);
  const [history, accounts, reports, reviews, events] = await Promise.all([
    listHistory(db, key, { beforeId: newestId, limit: rowsMax }),
    listPersonAccounts(db, key),
    listReports(db, key, rowsMax),
    listPersonReviews(db, key.subaccountId, payoutIds),
    listPersonEvents(db, key),
  ]);
  return {
    exported_at: timeOf(atMs),
    receiver: {
      ...receiver,
      created_at: timeOf(receiver.created_at),
      reference: person.reference,
      erased_at: person.erased_at_ms && timeOf(person.erased_at_ms),
    },
    // Reasons of changes may be about a review. The states say what happened.
    history: history.map(({ at_ms, to_status, to_kyc_status }) => ({
      at: timeOf(at_ms),
      status: to_status,
      kyc_status: to_kyc_status,
    })),
    accounts: accounts.map((row) => presentPersonAccount(row, key, seal)),
    identity_checks: reports.map(({ occurred_at_ms, provider, outcome, public_comment }) => ({
      at: timeOf(occurred_at_ms),
      provider,
      outcome,
      comment: public_comment,
    })),
    payouts: payouts.map((row) => ({
      ...presentPayout(row),
      created_at: timeOf(row.created_at_ms),
      updated_at: timeOf(row.updated_at_ms),
    })),
    reviews: reviews.map(({ payout_id, since_ms, decision, decided_at_ms }) => ({
      payout_id,
      since: timeOf(since_ms),
      outcome: decision ?? "open",
      ended_at: decided_at_ms && timeOf(decided_at_ms),
    })),
    events: events.map(({ id, type, body, created_at_ms }) => ({
      id: eventName(id),
      type,
      created_at: timeOf(created_at_ms),
      body: JSON.parse(body) as object,
    })),
  };
}

function presentPersonAccount(
  {
    account_number_sealed,
    created_at_ms,
    contact_sealed,
    person_key,
    metadata,
    ...row
  }: PersonAccountRow,
  { subaccountId, id }: ReceiverKey,
  seal: Seal,
): object {
  const key = ifReadable(() => personKeyOf(seal, subaccountId, { id, person_key }));
  const stored = { ...row, subaccount_id: subaccountId, account_number_sealed };
  const account = { subaccountId, id: row.account_id };
  return {
    ...row,
    ...ifReadable(() => openContact(key, account, { ...row, contact_sealed })),
    account_number: ifReadable(() => openNumberWith(seal, key, stored)) ?? "",
    created_at: timeOf(created_at_ms),
    ...(metadata && { metadata }),
  };
}
