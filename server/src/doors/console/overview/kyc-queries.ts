// The SQL of identity checks: short index scans by state, one for each pair of states.

import {
  type KycStatus,
  kycStatuses,
  type ReceiverStatus,
  receiverStatuses,
} from "../../../people/receivers/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";

export type StateCount = { status: ReceiverStatus; kyc_status: KycStatus; count: number };

const states = statement<StateCount>(
  "overview-receivers-by-state",
  `select s.status, k.kyc_status, (
     select count(*)::int from (
       select from receiver r
       where r.subaccount_id = $1 and r.status = s.status and r.kyc_status = k.kyc_status and r.id >= $2
       limit ${limits.funnelCountedMax + 1}
     ) r
   ) as count
   from unnest($3::text[]) s(status) cross join unnest($4::text[]) k(kyc_status)`,
);

/** Receivers created since, by their current states. Counted up to a bound. */
export function countByState(
  db: Runner,
  subaccountId: string,
  fromId: string,
): Promise<StateCount[]> {
  return db.run(states, [subaccountId, fromId, receiverStatuses, kycStatuses]);
}

export type WaitingAge = { age: number; count: number; oldest_id: string };

const waiting = statement<WaitingAge>(
  "overview-receivers-waiting",
  `select width_bucket(ms_of_id(r.id), $2::bigint[]) as age, count(*)::int as count, min(r.id::text) as oldest_id
   from unnest($3::text[]) s(status) cross join lateral (
     select r.id from receiver r
     where r.subaccount_id = $1 and r.status = s.status and r.kyc_status = 'pending'
     order by r.id limit ${limits.countedMax + 1}
   ) r
   group by 1`,
);

/** Receivers with an open identity check, by creation time: 0 is before the first of these times. */
export function countWaiting(
  db: Runner,
  subaccountId: string,
  startsMs: readonly number[],
): Promise<WaitingAge[]> {
  return db.run(waiting, [subaccountId, startsMs, receiverStatuses]);
}
