// Reads everything that the page of one payout shows.

import { isAtBank, listRecallsOfPayout, type RecallRow } from "../../../banking/answers/index.ts";
import { listEntriesOfPayout, presentEntry } from "../../../money/ledger/index.ts";
import {
  findResolution,
  findSetAside,
  listHolds,
  listPayoutHistory,
  listRuleMatches,
  type PayoutKey,
  presentPayout,
} from "../../../money/payouts/index.ts";
import { payeeOf } from "../../../people/person/index.ts";
import { listReviewNotes } from "../../../people/reviews/index.ts";
import { type Clock, newestId, toNumber } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { eventName } from "../../../platform/event-catalogue/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { listKeys } from "../../../tenants/api-keys/index.ts";
import { withoutName } from "../../../tenants/audit/index.ts";
import { isOneUserEnough } from "../../../tenants/four-eyes/index.ts";
import { listRequestsOfChanges } from "../../../tenants/request-log/index.ts";
import { type EventWithAttempts, findEvent, listEvents } from "../../../webhooks/events/index.ts";
import { presentRequestRow as toRequestLine } from "../../request-list/index.ts";
import { actorInWords, type Names } from "../../review-list/index.ts";
import { presentPayoutRow } from "./present.ts";
import type { ListedPayout } from "./queries.ts";
import { holdEntries, ruleEntries } from "./rule-entries.ts";
import type { PayoutDetail } from "./schema.ts";
import { timelineOf } from "./timeline.ts";
import {
  type ActRow,
  findListed,
  listActs,
  listBankFiles,
  type PayoutFileRow,
} from "./timeline-queries.ts";
import { whatNow } from "./what-now.ts";

type PayoutViewer = {
  /** Whether users are shown by name. */
  showsUsers: boolean;
  readsAudit: boolean;
};

/** Undefined if the subaccount has no such payout. */
export async function findPayoutDetail(
  { db, clock }: { db: Db; clock: Clock },
  key: PayoutKey,
  { showsUsers, readsAudit }: PayoutViewer,
): Promise<PayoutDetail | undefined> {
  const row = await findListed(db, key);
  if (!row) return undefined;
  const [history, events, entries, keys] = await Promise.all([
    listPayoutHistory(db, key),
    eventsOf(db, key),
    listEntriesOfPayout(db, key),
    listKeys(db, key.subaccountId),
  ]);
  const files = await listBankFiles(db, key, limits.actsShownMax);
  const recalls = await listRecallsOfPayout(db, key, limits.actsShownMax);
  const questions = await questionsAbout(db, key, row.receiver_id);
  const setAside = await findSetAside(db, key);
  const matches = readsAudit ? await listRuleMatches(db, key) : [];
  const holds = readsAudit ? await listHolds(db, key, limits.actsShownMax) : [];
  const proposed = row.stage === "submitted" ? await findResolution(db, key) : undefined;
  const objectIds = [key.id, ...events.map(({ row }) => row.id)];
  const { subaccountId } = key;
  const acts = await listActs(db, { subaccountId, objectIds, limit: limits.actsShownMax });
  const requests = await listRequestsOfChanges(db, {
    subaccountId,
    objectIds: row.batch_id ? [key.id, row.batch_id] : [key.id],
    momentsMs: history.flatMap(({ who, at_ms }) => (who.startsWith("key:") ? [Number(at_ms)] : [])),
  });
  const names: Names = {
    keys: new Map(keys.map(({ api_key, name }) => [api_key, name])),
    showsUsers,
  };
  const { retryOf, retriedAs } = linkedRetries(key.id, acts);
  const latest = events.at(-1);
  const { provider_reference: providerReference } = row;
  return {
    ...presentPayoutRow(row, undefined),
    receiver: { id: row.receiver_id, name: payeeOf(row) },
    ...factsOf(row, names),
    bank_file: fileOf(row, files),
    retry_of: retryOf ?? null,
    retried_as: retriedAs ?? null,
    event: latest ? latestOf(latest) : null,
    set_aside: setAside ? { reason: setAside.reason, since: Number(setAside.since_ms) } : null,
    resolution: proposed
      ? {
          outcome: proposed.outcome,
          reason: proposed.reason,
          proposed_by: showsUsers ? proposed.proposed_by : withoutName(proposed.proposed_by),
          proposed_at: Number(proposed.proposed_at_ms),
        }
      : null,
    is_resolvable:
      row.stage === "submitted" &&
      (setAside !== undefined || clock() - Number(row.updated_at_ms) >= limits.payoutLateMs),
    recalls: recalls.map((recall) => presentRecall(recall, names)),
    is_recallable:
      row.bank_batch_id !== null &&
      isAtBank(row.stage) &&
      recalls.every(({ outcome }) => outcome !== ""),
    timeline: timelineOf(
      {
        ...{ history, events, entries, requests, acts, files, recalls, questions },
        ...{ providerReference, retryOf },
        reviews: [
          ...ruleEntries(matches, {
            createdAtMs: Number(row.created_at_ms),
            currency: row.currency,
          }),
          ...holdEntries(holds, matches, names),
        ],
      },
      names,
    ),
    what_now: whatNow({
      stage: row.stage,
      cause: row.cause,
      providerReference,
      retriedAs,
      setAside: setAside?.reason,
      proposed: proposed?.outcome,
      stayedMs: clock() - Number(row.updated_at_ms),
      madeBy: (await isOneUserEnough(db, subaccountId))
        ? undefined
        : actorInWords(row.created_by, names),
      delivery: latest && deliveryOf(latest),
      // The sandbox bank takes no files.
      processDate: row.rail.startsWith("bank:") ? row.process_date : "",
      expectedArrival: row.expected_arrival,
    }),
    events: events.map(eventLine),
    requests: requests.map(toRequestLine),
    entries: entries.map(presentEntry),
    acts: readsAudit ? acts.map(actLine) : [],
    json: presentPayout(row),
  };
}

/** Notes of reviewers to the subaccount, not those to other reviewers. */
async function questionsAbout(db: Db, { subaccountId, id }: PayoutKey, receiverId: string) {
  const notes = await listReviewNotes(db, { subaccountId, id: receiverId });
  return notes.filter(({ object_id, audience }) => object_id === id && audience === "subaccount");
}

function factsOf(row: ListedPayout, names: Names) {
  const { cause_code, note, batch_id, rail, provider_reference, created_by } = row;
  const { send_on, statement_reference, process_date, expected_arrival } = row;
  return {
    cause_code,
    note,
    batch_id,
    rail,
    provider_reference,
    send_on,
    statement_reference,
    process_date,
    expected_arrival,
    fee: toNumber(BigInt(row.fee)),
    sent_amount: toNumber(BigInt(row.sent_amount)),
    created_by: names.showsUsers ? created_by : withoutName(created_by),
    made_by: actorInWords(created_by, names),
  };
}

function fileOf(
  { bank_batch_id }: ListedPayout,
  files: readonly PayoutFileRow[],
): PayoutDetail["bank_file"] {
  const found = files.find(({ batch_id }) => batch_id === bank_batch_id);
  if (!found) return null;
  const { batch_id, file_name, line, status } = found;
  return { batch_id, file_name, line, status };
}

function presentRecall(row: RecallRow, names: Names): PayoutDetail["recalls"][number] {
  const { id, note, outcome, outcome_note, decided_at_ms, decided_by } = row;
  return {
    id,
    note,
    requested_by: actorInWords(row.requested_by, names),
    requested_at: Number(row.requested_at_ms),
    outcome: outcome || "waiting",
    outcome_note,
    decided_by: actorInWords(decided_by, names),
    decided_at: decided_at_ms === null ? null : Number(decided_at_ms),
  };
}

/** Oldest first, each with its attempts. A payout has a handful. */
async function eventsOf(db: Db, { subaccountId, id }: PayoutKey): Promise<EventWithAttempts[]> {
  const events = await listEvents(db, {
    subaccountId,
    payoutId: id,
    beforeId: newestId,
    fromId: id,
    limit: limits.eventsShownMax,
    type: undefined,
    status: undefined,
    receiverId: undefined,
  });
  const found = await Promise.all(
    events.map((event) => findEvent(db, { subaccountId, id: event.id })),
  );
  return found.filter((event) => event !== undefined).reverse();
}

/** Payouts that are linked to this one by a retry. */
function linkedRetries(id: string, acts: readonly ActRow[]) {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const find = (action: string) =>
    acts.find((act) => act.action === action && act.object_id === id)?.after ?? {};
  return {
    retryOf: text(find("payout.create").retry_of),
    retriedAs: text(find("payout.retry").payout_id),
  };
}

function deliveryOf({ row, attempts }: EventWithAttempts) {
  const last = attempts.at(-1);
  return {
    status: row.status,
    attempts: last?.number ?? 0,
    httpStatus: last?.status ?? null,
  };
}

function latestOf(event: EventWithAttempts): PayoutDetail["event"] {
  const { status, attempts, httpStatus } = deliveryOf(event);
  return { id: eventName(event.row.id), status, attempts, http_status: httpStatus };
}

function eventLine(event: EventWithAttempts): PayoutDetail["events"][number] {
  const { type, status, created_at_ms, next_attempt_at } = event.row;
  return {
    id: eventName(event.row.id),
    type,
    status,
    created_at: Number(created_at_ms),
    attempts: event.attempts.length,
    http_status: event.attempts.at(-1)?.status ?? null,
    next_attempt_at: next_attempt_at === null ? null : Number(next_attempt_at),
  };
}

function actLine(act: ActRow): PayoutDetail["acts"][number] {
  const { number, at_ms, who, action, object_kind: kind, object_id: id, before, after } = act;
  const object = { kind, id };
  return { who, action, object, before, after, number: Number(number), at: Number(at_ms) };
}
