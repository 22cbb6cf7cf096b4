// Reads one identity check as a case: everything a reviewer needs, and the effect of each decision.

import { newestId } from "../../cursor.ts";
import type { Db, Runner } from "../../db/connect.ts";
import { type KycOutcome, kycEventsOf } from "../../kyc/decide.ts";
import { listReports } from "../../kyc/queries.ts";
import { limits } from "../../limits.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import { type LockedReceiver, listHistory } from "../../receivers/state-queries.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { listAccountLines } from "../receivers/account-queries.ts";
import { namesOfKeys } from "../receivers/detail.ts";
import { toHistoryLine, toReportLine } from "../receivers/present.ts";
import { waitsFor } from "../receivers/waits-for.ts";
import { caseFieldsOf } from "./case-fields.ts";
import { type CaseRow, findCase, listVotes, type VoteRow } from "./case-queries.ts";
import { checksOf } from "./checks.ts";
import { findDuplicates } from "./duplicates.ts";
import { hasFailedCheck, isOverride, versionOf } from "./review.ts";
import type { Duplicate, Foreseen, ReviewCase } from "./schema.ts";

export async function readCase(
  { db, seal }: { db: Db; seal: Seal },
  key: ReceiverKey,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<ReviewCase | undefined> {
  const row = await findCase({ db, seal }, key);
  if (!row) return undefined;
  const version = versionOf(row);
  const since = Number(row.since_ms);
  const [fields, risk, reported, accounts, votes, keys] = await Promise.all([
    caseFieldsOf(db, key, row, { since, userId, nowMs }),
    findRisk({ db, seal }, key, row),
    listReports(db, key, limits.receiverShownMax),
    listAccountLines(db, key),
    listVotes(db, key, version),
    namesOfKeys(db, key.subaccountId),
  ]);
  const names = { keys, showsUsers: true };
  const { history, hasFailed, duplicates } = risk;
  const reports = reported.map((report) => toReportLine(report, names));
  const foresee = (verdict: KycOutcome) =>
    foreseen(key, row, verdict, { ...risk, isSecond: isSecond(votes, userId), nowMs });
  return {
    kind: "identity",
    ...fields,
    version,
    waits: waitsFor(row) === "user",
    accounts,
    duplicates,
    reports,
    checks: checksOf({ receiver: row, hasFailed, reports, accounts, duplicates, nowMs }),
    history: history.map((line) => toHistoryLine(line, names)),
    approvals: votes.map(({ who, user_id, at_ms }) => ({
      who,
      is_mine: user_id === userId,
      at: Number(at_ms),
    })),
    verdicts: {
      approve: foresee({ verdict: "approve" }),
      reject: foresee({ verdict: "reject", final: true }),
      retry: foresee({ verdict: "reject", final: false }),
    },
  };
}

/** The risks that make an approval need two users. */
export async function findRisk(
  { db, seal }: { db: Runner; seal: Seal },
  key: ReceiverKey,
  receiver: LockedReceiver,
) {
  const page = { beforeId: newestId, limit: limits.receiverShownMax };
  const history = await listHistory(db, key, page);
  const hasFailed = hasFailedCheck(history);
  const duplicates = await findDuplicates({ db, seal }, key, receiver);
  return { history, hasFailed, duplicates, isHigh: hasFailed || duplicates.length > 0 };
}

export function isSecond(votes: readonly VoteRow[], userId: string): boolean {
  return votes.some(({ user_id }) => user_id !== userId);
}

type Risk = { hasFailed: boolean; isHigh: boolean; duplicates: Duplicate[]; isSecond: boolean };

/** Uses the code of the decision itself, so that the preview equals the event. */
function foreseen(
  key: ReceiverKey,
  row: CaseRow,
  verdict: KycOutcome,
  { hasFailed, isHigh, isSecond, nowMs }: Risk & { nowMs: number },
): Foreseen {
  const needs_proof = isOverride(verdict, row, hasFailed);
  const needs_second = verdict.verdict === "approve" && isHigh && !isSecond;
  try {
    const [event = null] = kycEventsOf(key, row, verdict, nowMs);
    return { is_allowed: true, needs_proof, needs_second, event };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { is_allowed: false, needs_proof, needs_second, event: null };
  }
}
