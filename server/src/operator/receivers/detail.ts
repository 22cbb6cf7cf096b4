// Everything that a receiver's page shows, read at once.

import { newestId } from "../../cursor.ts";
import type { Db } from "../../db/connect.ts";
import { listEvents, toRecord } from "../../events/list-queries.ts";
import { isUuid } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { findReceivers, type ReceiverKey } from "../../receivers/queries.ts";
import { listHistory } from "../../receivers/state-queries.ts";
import { listReports } from "../../verification/queries.ts";
import { waitsFor } from "../reviews/review.ts";
import { listAccountLines } from "./account-queries.ts";
import {
  codedStates,
  lastPayoutOf,
  type Reader,
  toHistoryLine,
  toReportLine,
  withoutName,
} from "./line.ts";
import { findDetail } from "./queries.ts";
import type { ReceiverDetail } from "./schema.ts";

export async function readReceiver(
  db: Db,
  key: ReceiverKey,
  reader: Reader,
): Promise<ReceiverDetail | undefined> {
  if (!isUuid(key.id)) return undefined;
  const shown = { beforeId: newestId, limit: limits.receiverShownMax };
  const [[json], row, accounts, reports, history, events] = await Promise.all([
    findReceivers(db, [key]),
    findDetail(db, key),
    listAccountLines(db, key),
    listReports(db, key, limits.receiverShownMax),
    listHistory(db, key, shown),
    listEvents(db, eventsOf(key)),
  ]);
  if (!json || !row) return undefined;
  const states = codedStates(json as Parameters<typeof codedStates>[0]);
  const who = (name: string) => (reader.isOutside ? withoutName(name) : name);
  return {
    ...states,
    reference: row.reference,
    created_at: Number(row.created_at_ms),
    created_by: who(row.created_by),
    kyc: {
      provider: row.kyc_provider,
      waits_for: waitsFor({ ...row, ...states }),
      since: Number(row.since_ms),
    },
    payouts: { count: row.payouts, last: lastPayoutOf(row) },
    accounts: accounts.map(({ versions, ...account }) => ({
      ...account,
      versions: versions.map((one) => ({ ...one, created_by: who(one.created_by) })),
    })),
    reports: reports.map((report) => toReportLine(report, reader)),
    history: history.map((line) => toHistoryLine(line, reader)),
    events: events.map(toRecord).map(({ id, type, status, ...event }) => ({
      ...{ id, type, status },
      attempts: event.attempt_count,
      created_at: Number(event.created_at),
    })),
    json,
  };
}

function eventsOf({ subaccountId, id: receiverId }: ReceiverKey) {
  return {
    ...{ subaccountId, receiverId },
    ...{ type: undefined, status: undefined, payoutId: undefined },
    ...{ beforeId: newestId, fromId: firstOfAll, limit: limits.receiverShownMax },
  };
}
const firstOfAll = "00000000-0000-0000-0000-000000000000";
