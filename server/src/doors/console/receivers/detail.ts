// Reads everything that a receiver's page shows.

import { listReports } from "../../../people/kyc/index.ts";
import { findReceivers, listHistory, type ReceiverKey } from "../../../people/receivers/index.ts";
import { listReviewNotes } from "../../../people/reviews/index.ts";
import { isUuid, newestId } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { listKeys } from "../../../tenants/api-keys/index.ts";
import { findWaitingRequest } from "../../../tenants/four-eyes/index.ts";
import { listEvents, toRecord } from "../../../webhooks/events/index.ts";
import {
  actorInWords,
  codedStates,
  findReceiverDetail,
  lastPayoutOf,
  type Names,
  type ReceiverDetail,
  toHistoryLine,
  toReportLine,
} from "../../review-list/index.ts";
import { listAccountLines } from "./account-queries.ts";
import { waitsFor } from "./waits-for.ts";

export async function readReceiver(
  { db, seal }: { db: Db; seal: Seal },
  key: ReceiverKey,
  { showsUsers }: Pick<Names, "showsUsers">,
): Promise<ReceiverDetail | undefined> {
  if (!isUuid(key.id)) return undefined;
  const shown = { beforeId: newestId, limit: limits.receiverShownMax };
  const erasureOf = { subaccountId: key.subaccountId, kind: "erasure", objectId: key.id } as const;
  const [[json], row, accounts, reports, history, events, notes, keys, erasure] = await Promise.all(
    [
      findReceivers({ db, seal }, [key]),
      findReceiverDetail(db, key),
      listAccountLines(db, key),
      listReports(db, key, limits.receiverShownMax),
      listHistory(db, key, shown),
      listEvents(db, eventsOf(key)),
      listReviewNotes(db, key),
      namesOfKeys(db, key.subaccountId),
      findWaitingRequest(db, erasureOf),
    ],
  );
  if (!json || !row) return undefined;
  const states = codedStates(json as Parameters<typeof codedStates>[0]);
  const names = { keys, showsUsers };
  return {
    ...states,
    erased_at: row.erased_at_ms === null ? null : Number(row.erased_at_ms),
    erasure_request: erasure
      ? {
          id: erasure.id,
          made_by: actorInWords(erasure.made_by, names),
          made_at: Number(erasure.made_at_ms),
        }
      : null,
    reference: row.reference,
    created_at: Number(row.created_at_ms),
    created_by: actorInWords(row.created_by, names),
    kyc: {
      provider: row.kyc_provider,
      waits_for: waitsFor({ ...row, ...states }),
      since: Number(row.since_ms),
    },
    payouts: { count: row.payouts, last: lastPayoutOf(row) },
    accounts: accounts.map(({ versions, ...account }) => ({
      ...account,
      versions: versions.map((one) => ({
        ...one,
        created_by: actorInWords(one.created_by, names),
      })),
    })),
    reports: reports.map((report) => toReportLine(report, names)),
    history: history.map((line) => toHistoryLine(line, names)),
    questions: notes
      .filter(({ audience }) => audience === "subaccount")
      .map(({ id, note, at_ms, who }) => ({
        id,
        note,
        at: Number(at_ms),
        who: actorInWords(who, names),
      })),
    events: events.map(toRecord).map(({ id, type, status, ...event }) => ({
      id,
      type,
      status,
      attempts: event.attempt_count,
      created_at: Number(event.created_at),
    })),
    json,
  };
}

export async function namesOfKeys(db: Db, subaccountId: string): Promise<Names["keys"]> {
  const keys = await listKeys(db, subaccountId);
  return new Map(keys.map(({ api_key, name }) => [api_key, name]));
}

function eventsOf({ subaccountId, id: receiverId }: ReceiverKey) {
  return {
    subaccountId,
    receiverId,
    type: undefined,
    status: undefined,
    payoutId: undefined,
    beforeId: newestId,
    fromId: firstOfAll,
    limit: limits.receiverShownMax,
  };
}
const firstOfAll = "00000000-0000-0000-0000-000000000000";
