// Every SQL statement about the steps and reports of identity checks.

import {
  claimValues,
  type Db,
  type DueClaim,
  dueInTurns,
  dueTurns,
  type Runner,
  statement,
  type Tx,
} from "../../platform/db/index.ts";
import type { ProviderDecision, ProviderName } from "../kyc-providers/index.ts";
import {
  type KycStep,
  type ReceiverKey,
  receiverColumns,
  type StoredReceiver,
} from "../receivers/index.ts";

export type ClaimedStep = Omit<StoredReceiver, "created_at_ms"> & {
  subaccount_id: string;
  kyc_step: KycStep;
  kyc_attempts: number;
  /** The end of the lease. A step is recorded only while the lease is valid. */
  kyc_due_at_ms: string;
};

const dueSteps = { table: "receiver", queue: "kyc_provider", dueAt: "kyc_due_at_ms" } as const;

const claimMany = statement<ClaimedStep>(
  "kyc-steps-claim",
  // If two processes see the same step, only one gets it: for the other it is no longer due. It covers all subaccounts,
  // because the worker serves all.
  `with ${dueInTurns(dueSteps)}
   update receiver r set kyc_due_at_ms = $3, kyc_attempts = r.kyc_attempts + 1
   from locked
   where r.ctid = locked.place and r.kyc_due_at_ms <= $2
   returning r.subaccount_id, r.id, r.kyc_step, r.kyc_attempts, r.kyc_due_at_ms, r.status, r.kyc_status,
     r.applicant_id, r.first_name, r.middle_name, r.last_name, r.email, r.dob, r.gender, r.dialcode,
     r.phone, r.address, r.address2, r.city, r.state, r.postcode, r.country, r.person_key,
     r.person_sealed`,
  { followsIndexes: true },
);

export function claimSteps(
  db: Runner,
  claim: DueClaim & { provider: ProviderName },
): Promise<ClaimedStep[]> {
  return db.run(claimMany, claimValues(claim.provider, claim));
}

export const stepTurns = dueTurns("kyc-steps-due-subaccounts", dueSteps);

const setStep = statement<{ id: string }>(
  "kyc-step-set",
  `update receiver
   set kyc_step = $4, kyc_due_at_ms = $5, kyc_attempts = case when $6 then 0 else kyc_attempts end,
       applicant_id = coalesce($7, applicant_id), kyc_reported_at_ms = greatest($8, kyc_reported_at_ms)
   where subaccount_id = $1 and id = $2 and kyc_due_at_ms = $3
   returning id`,
);

type NextStep = {
  kind: KycStep | null;
  dueAtMs: number | null;
  /** Starts counting attempts from zero. */
  resetAttempts: boolean;
  applicantId?: string;
  /** Reports from before this time no longer count. */
  reportedAtMs?: number | undefined;
};

/** Sets the next step after one that changed no state. Returns false if the lease was lost; then nothing changes. */
export async function updateStep(
  db: Db,
  { subaccount_id, id, kyc_due_at_ms }: ClaimedStep,
  { kind, dueAtMs, resetAttempts, applicantId, reportedAtMs }: NextStep,
): Promise<boolean> {
  const key = [subaccount_id, id, kyc_due_at_ms];
  const values = [...key, kind, dueAtMs, resetAttempts, applicantId ?? null, reportedAtMs ?? null];
  return (await db.run(setStep, values)).length > 0;
}

const setNext = statement<never>(
  "kyc-step-pass-on",
  `update receiver set kyc_due_at_ms = $4
   where subaccount_id = $1 and id = $2 and kyc_due_at_ms = $3::bigint + 1`,
);

/** Makes a step that waits for the end of this lease due now. */
export async function releaseStep(
  db: Db,
  { subaccount_id, id, kyc_due_at_ms }: ClaimedStep,
  dueAtMs: number,
): Promise<void> {
  await db.run(setNext, [subaccount_id, id, kyc_due_at_ms, dueAtMs]);
}

const findByApplicant = statement<{ subaccount_id: string; id: string }>(
  "receiver-by-applicant",
  // The provider knows no subaccounts. This finds the subaccount_id for all other statements.
  `select subaccount_id, id from receiver
   where kyc_provider = $1 and kyc_provider not in ('manual', 'sandbox')
     and applicant_id = $2 and applicant_id <> ''`,
);

export async function findApplicant(
  db: Db,
  provider: ProviderName,
  applicantId: string,
): Promise<ReceiverKey | undefined> {
  const [row] = await db.run(findByApplicant, [provider, applicantId]);
  return row && { subaccountId: row.subaccount_id, id: row.id };
}

const findOneCheck = statement<StoredReceiver & { kyc_provider: ProviderName }>(
  "kyc-check-of-receiver",
  `select ${receiverColumns}, r.kyc_provider from receiver r where r.subaccount_id = $1 and r.id = $2`,
);

/** A receiver and the provider that checks it. */
export async function findCheck(db: Runner, { subaccountId, id }: ReceiverKey) {
  return (await db.run(findOneCheck, [subaccountId, id]))[0];
}

const setReported = statement<never>(
  "receiver-kyc-reported",
  `update receiver set kyc_reported_at_ms = greatest(kyc_reported_at_ms, $3), kyc_needs_review = $4
   where subaccount_id = $1 and id = $2`,
);

/** Reports from before this time no longer count. */
export async function updateLastReport(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  { atMs, wantsPerson = false }: { atMs: number; wantsPerson?: boolean },
): Promise<void> {
  await tx.run(setReported, [subaccountId, id, atMs, wantsPerson]);
}

const insertOneReport = statement<{ event_id: string }>(
  "kyc-report-insert",
  `insert into kyc_report (subaccount_id, receiver_id, event_id, provider, occurred_at_ms, received_at_ms,
                           outcome, labels, public_comment, private_comment)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict do nothing
   returning event_id`,
);

export type ReportToInsert = {
  eventId: string;
  provider: ProviderName | "operator";
  occurredAtMs: number;
  receivedAtMs: number;
  decision: ProviderDecision;
};

/** False if it exists already. */
export async function insertReport(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  report: ReportToInsert,
): Promise<boolean> {
  const { eventId, provider, occurredAtMs, receivedAtMs, decision } = report;
  const { outcome, labels, publicComment, privateComment } = decision;
  const rows = await tx.run(insertOneReport, [
    ...[subaccountId, id, eventId, provider, occurredAtMs, receivedAtMs],
    ...[outcome, labels, publicComment, privateComment],
  ]);
  return rows.length > 0;
}

export type ReportRow = {
  provider: string;
  occurred_at_ms: string;
  outcome: ProviderDecision["outcome"];
  labels: string[];
  public_comment: string;
  private_comment: string;
};

const listOfReceiver = statement<ReportRow>(
  "kyc-reports-of-receiver",
  `select provider, occurred_at_ms, outcome, labels, public_comment, private_comment
   from kyc_report where subaccount_id = $1 and receiver_id = $2
   order by occurred_at_ms desc, received_at_ms desc limit $3`,
);

/** Newest first. For operators only, because a part is not meant for callers. */
export function listReports(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  limit: number,
): Promise<ReportRow[]> {
  return db.run(listOfReceiver, [subaccountId, id, limit]);
}
