// Applies a decision about an identity check: a provider's report, a user's verdict, or a simulated outcome.
// In one transaction on the locked receiver, so reports may come twice, late and in any order.

import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { ProviderDecision, Report } from "../kyc-providers/index.ts";
import {
  isSame,
  type LockedReceiver,
  lockOrRefuse,
  type Move,
  moved,
  moveReceivers,
  nextStates,
  type ReceiverKey,
  type States,
  statesOf,
  type Transition,
  toReceiverMove,
} from "../receivers/index.ts";
import { insertReport, type ReportToInsert, updateLastReport } from "./queries.ts";

/** The transition of a receiver for each outcome. Undefined: nothing changes. */
export const transitionOf: Record<ProviderDecision["outcome"], Transition | undefined> = {
  approved: "approved",
  rejected: "rejected",
  retry: "retried",
  pending: undefined,
  on_hold: undefined,
};

/** The effect of a report. All reports are recorded. */
type ReportContext = "moved" | "unchanged" | "repeated" | "late" | "needs-operator";

export type ReportToApply = Pick<Report, "eventId" | "occurredAtMs" | "decision"> & {
  provider: Exclude<ReportToInsert["provider"], "operator">;
  receivedAtMs: number;
  /** The worker's next step for a check that is open again. */
  thenAsk: Move["step"];
};

export async function applyReport(
  tx: Tx,
  key: ReceiverKey,
  report: ReportToApply,
): Promise<ReportContext> {
  const { provider, decision, occurredAtMs, receivedAtMs: atMs } = report;
  const current = await lockOrRefuse(tx, key);
  if (!(await insertReport(tx, key, report))) return "repeated";
  // The provider does not have the receiver's current details yet, so the report is about the old ones.
  if (current.kyc_step === "create" || current.kyc_step === "restart") return "late";
  if (occurredAtMs < Number(current.kyc_reported_at_ms)) return "late";
  const wantsPerson = asksForPerson(current, decision);
  await updateLastReport(tx, key, { atMs: occurredAtMs, wantsPerson });

  const transition = transitionOf[decision.outcome];
  if (!transition) return "unchanged";
  const to = nextStates(current, transition);
  // A final outcome stays until an operator or a restart opens the check again.
  if (!to) return decision.outcome === "approved" ? "needs-operator" : "unchanged";
  if (isSame(current, to)) return "unchanged";
  const who = `provider:${provider}`;
  const said = { who, reason: reasonOf(decision, provider), atMs };
  await move(tx, key, current, to, said, report.thenAsk);
  return "moved";
}

/** A user must decide about a check that is on hold, or that approves a receiver it rejected for good. */
function asksForPerson({ kyc_status }: States, { outcome }: ProviderDecision): boolean {
  if (kyc_status === "pending") return outcome === "on_hold";
  return kyc_status === "failed" && outcome === "approved";
}

export type KycOutcome = { verdict: "approve" } | { verdict: "reject"; final: boolean };
export type KycDecision = Said & { labels?: readonly string[] } & KycOutcome;

/** An operator may also approve a receiver that a provider has rejected. Returns the states afterwards. */
export async function decideKyc(tx: Tx, key: ReceiverKey, judgement: KycDecision): Promise<States> {
  const { who, reason, atMs, labels = [] } = judgement;
  const current = await lockOrRefuse(tx, key);
  const outcome = outcomeOf(judgement);
  await insertReport(tx, key, {
    eventId: `operator:${newId()}`,
    provider: "operator",
    occurredAtMs: atMs,
    receivedAtMs: atMs,
    decision: { outcome, labels, publicComment: reason, privateComment: who },
  });
  await updateLastReport(tx, key, { atMs });
  let from = current;
  for (const to of wayTo(current, judgement)) {
    await move(tx, key, from, to, { who, reason, atMs });
    from = { ...from, ...to };
  }
  return statesOf(from);
}

/** The bodies of the events that a decision would send now. Refuses the decisions that `decideKyc` refuses. */
export function kycEventsOf(
  key: ReceiverKey,
  current: States,
  verdict: KycOutcome,
  atMs: number,
): string[] {
  const said = { who: "", reason: "", atMs, step: null };
  let from = statesOf(current);
  return wayTo(current, verdict).flatMap((to) => {
    const { event } = toReceiverMove({ ...key, from, to, ...said });
    from = to;
    return event ? [event.body] : [];
  });
}

function outcomeOf(verdict: KycOutcome): "approved" | "rejected" | "retry" {
  if (verdict.verdict === "approve") return "approved";
  return verdict.final ? "rejected" : "retry";
}

/** The states that a decision leads through, one after the other. */
function wayTo(from: States, verdict: KycOutcome): States[] {
  const transition = {
    approved: "approvedByUser",
    rejected: "rejected",
    retry: "retried",
  } as const;
  const opened =
    verdict.verdict === "approve" && from.status === "failed" ? [moved(from, "reopened")] : [];
  return [...opened, moved(opened[0] ?? from, transition[outcomeOf(verdict)])];
}

/** For test subaccounts: the same as a decision by the provider now. Returns the states afterwards. */
export async function simulateKyc(
  tx: Tx,
  key: ReceiverKey,
  {
    outcome,
    ...said
  }: { outcome: "approved" | "rejected"; who: string; reason: string; atMs: number },
): Promise<States> {
  const current = await lockOrRefuse(tx, key);
  const to = moved(current, outcome);
  await updateLastReport(tx, key, said);
  await move(tx, key, current, to, said);
  return to;
}

type Said = { who: string; reason: string; atMs: number };

async function move(
  tx: Tx,
  key: ReceiverKey,
  current: States & Pick<LockedReceiver, "kyc_step">,
  to: States,
  said: Said,
  thenAsk: Move["step"] = null,
): Promise<void> {
  // After a retry the worker keeps asking for the outcome. Every other decision ends the check.
  const openStep = current.kyc_step ? "as-before" : thenAsk;
  const step = to.kyc_status === "pending" ? openStep : null;
  const from = statesOf(current);
  const [done] = await moveReceivers(tx, [toReceiverMove({ ...key, from, to, ...said, step })]);
  if (!done) throw new Error("a receiver that is locked must move");
}

export function reasonOf({ outcome, publicComment }: ProviderDecision, provider: string): string {
  return publicComment || `${outcome} by ${provider}`;
}
