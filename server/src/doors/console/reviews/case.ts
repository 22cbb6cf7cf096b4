// Reads one identity check as a case: everything a reviewer needs, and the effect of each decision.

import { type KycOutcome, kycEventsOf, listReports } from "../../../people/kyc/index.ts";
import type { ReceiverKey } from "../../../people/receivers/index.ts";
import {
  type CaseRow,
  findCase,
  findRisk,
  isOverride,
  listVotes,
  versionOf,
} from "../../../people/reviews/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { conflictsOf, isOneUserEnough } from "../../../tenants/four-eyes/index.ts";
import {
  codedStates,
  type Foreseen,
  type ReviewCase,
  receiverNameOf,
  toHistoryLine,
  toReportLine,
} from "../../review-list/index.ts";
import { listAccountLines } from "../receivers/account-queries.ts";
import { namesOfKeys } from "../receivers/detail.ts";
import { waitsFor } from "../receivers/waits-for.ts";
import { caseFieldsOf } from "./case-fields.ts";
import { checksOf } from "./checks.ts";

export async function readCase(
  { db, seal }: { db: Db; seal: Seal },
  key: ReceiverKey,
  { userId, who, nowMs }: { userId: string; who: string; nowMs: number },
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
  const { history, hasFailed } = risk;
  const duplicates = risk.duplicates.map(({ kind, ...row }) => {
    return { kind, receiver_id: row.id, name: receiverNameOf(row), ...codedStates(row) };
  });
  const reports = reported.map((report) => toReportLine(report, names));
  const [conflict] = await conflictsOf(db, [votes.map((vote) => vote.who)], {
    who,
    in: key.subaccountId,
  });
  const isSecond =
    (votes.length > 0 && conflict === undefined) || (await isOneUserEnough(db, key.subaccountId));
  const foresee = (verdict: KycOutcome) =>
    foreseen(key, row, verdict, { ...risk, isSecond, nowMs });
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

type Risk = { hasFailed: boolean; isHigh: boolean; isSecond: boolean };

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
