// The KYC worker: creates applicants, restarts checks and asks for outcomes. A step has a due time; claiming it moves
// that time ahead, which is the lease. If a process dies or a provider is down, nothing is lost: the step becomes due
// again, in every process.

import { backoffMs, type Clock, systemClock } from "../../platform/base/index.ts";
import { batch } from "../../platform/batching/index.ts";
import { combinePollers, type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type Applicant,
  ApplicantRefused,
  isRemote,
  type KycProvider,
  type KycProviders,
  providerNamed,
  providerNames,
} from "../kyc-providers/index.ts";
import { openPerson } from "../person/index.ts";
import {
  askStep,
  type Move,
  moveReceivers,
  nextStates,
  type ReceiverKey,
  statesOf,
  type Transition,
  toReceiverMove,
} from "../receivers/index.ts";
import { toApplicant } from "./applicant.ts";
import { applyReport, reasonOf, transitionOf } from "./decide.ts";
import { type ClaimedStep, claimSteps, releaseStep, stepTurns, updateStep } from "./queries.ts";

type KycWorkerParts = {
  db: Db;
  seal: Seal;
  providers: KycProviders;
  log: { warn(context: object, message: string): void };
  clock?: Clock;
};

/** Closing it resolves when the running steps have ended. */
export function startKycWorker(parts: KycWorkerParts): Poller {
  const { providers } = parts;
  // One worker per provider, so that a provider that hangs never delays the receivers of another.
  return combinePollers(
    providerNames(providers).map((name) =>
      startLane(parts, providerNamed(providers, name) as KycProvider),
    ),
  );
}

function startLane(
  { db, seal, log, clock = systemClock }: KycWorkerParts,
  provider: KycProvider,
): Poller {
  const running = new Set<Promise<void>>();
  const observe = db.listeners.metrics?.batchSize("receivers-move");
  const move = batch((moves: Move[]) => moveReceivers(db, moves), undefined, { observe });
  const nextTurn = stepTurns(db, provider.name);
  const closing = new AbortController();

  async function poll(): Promise<void> {
    const limit = limits.kycStepsMax - running.size;
    if (limit === 0) return;
    const nowMs = clock();
    const turn = await nextTurn(nowMs, limit);
    if (turn.isMore) poller.wake();
    if (turn.subaccountIds.length === 0) return;
    const leaseUntilMs = nowMs + limits.kycLeaseMs;
    const claim = { provider: provider.name, nowMs, leaseUntilMs, limit, turn };
    const steps = await claimSteps(db, claim);
    for (const step of steps) {
      const work = take(step).finally(() => {
        running.delete(work);
        // After this turn of the event loop, so that steps that ended together are replaced together.
        if (steps.length === limit) setImmediate(poller.wake);
      });
      running.add(work);
    }
  }

  async function take(step: ClaimedStep): Promise<void> {
    try {
      if (!(await perform(step))) await passOn(step);
    } catch (error) {
      if (error instanceof ApplicantRefused) {
        const rest = { reason: "applicant refused", step: null };
        const isDone = await moveOn(step, "applicantRefused", rest).catch((failure) => {
          log.warn({ err: failure, provider: provider.name }, "identity check: refusal not noted");
          return true;
        });
        if (!isDone) await passOn(step);
        return;
      }
      const { subaccount_id, id: receiver_id, kyc_step, kyc_attempts } = step;
      const context = {
        provider: provider.name,
        kyc_step,
        kyc_attempts,
        subaccount_id,
        receiver_id,
      };
      log.warn({ err: error, ...context }, "identity check: will try again");
      const dueAtMs = clock() + backoffMs(limits.kycRetryMs, limits.kycRetryMaxMs, kyc_attempts);
      // If this fails as well, the step becomes due again when its lease ends.
      const again = { kind: kyc_step, dueAtMs, resetAttempts: false };
      const isOurs = await updateStep(db, step, again).catch(() => true);
      if (!isOurs) await passOn(step);
    }
  }

  /** The lease was lost to a newer step, which waits until the old one can no longer reach the provider. */
  async function passOn(step: ClaimedStep): Promise<void> {
    await releaseStep(db, step, clock()).catch(() => {});
    poller.wake();
  }

  /** Returns false if the lease was lost; then nothing was written. */
  async function perform(step: ClaimedStep): Promise<boolean> {
    const signal = AbortSignal.any([AbortSignal.timeout(limits.kycCallMs), closing.signal]);
    const applicant = toApplicant(openPerson(seal, step.subaccount_id, step));
    if (step.kyc_step === "ask") return ask(step, applicant, signal);
    if (!isRemote(provider)) throw new Error("a local provider has no applicants to send");

    const isKnown = step.applicant_id !== "";
    const applicantId = isKnown
      ? step.applicant_id
      : await provider.createApplicant(applicant, signal);
    // An earlier attempt may have sent the provider an older name.
    const isSent = isKnown || step.kyc_step === "restart" || step.kyc_attempts > 1;
    if (isSent) await provider.restartApplicant(applicantId, applicant, signal);
    const nowMs = clock();
    const reported = isSent ? { reportedAtMs: nowMs } : {};
    const then = askStep(provider, nowMs);
    if (step.status === "creating") {
      const reason = "applicant made";
      return moveOn(step, "applicantMade", { applicantId, reason, step: then, ...reported });
    } else {
      const next = { kind: then?.kind ?? null, dueAtMs: then?.dueAtMs ?? null };
      return updateStep(db, step, { ...next, resetAttempts: true, applicantId, ...reported });
    }
  }

  async function ask(step: ClaimedStep, applicant: Applicant, signal: AbortSignal) {
    const askedAtMs = clock();
    const decision = await provider.getStatus(step.applicant_id, applicant, signal);
    const transition = transitionOf[decision.outcome];
    if (transition && !isRemote(provider)) {
      return moveOn(step, transition, { reason: reasonOf(decision, provider.name), step: null });
    }
    const { askAgainMs } = provider;
    const dueAtMs = askAgainMs === undefined ? null : clock() + askAgainMs;
    const kind = dueAtMs === null ? null : "ask";
    const isOurs = await updateStep(db, step, { kind, dueAtMs, resetAttempts: true });
    if (!isOurs || !transition) return isOurs;
    // The outcome from a remote provider is recorded as a separate report, with the time of the request.
    const report = { eventId: `asked:${step.kyc_due_at_ms}`, occurredAtMs: askedAtMs, decision };
    const applied = {
      ...report,
      provider: provider.name,
      receivedAtMs: clock(),
      thenAsk: "as-before",
    } as const;
    await db.transaction((tx) => applyReport(tx, keyOf(step), applied));
    return true;
  }

  async function moveOn(
    step: ClaimedStep,
    transition: Transition,
    rest: Pick<Move, "reason" | "step"> & { applicantId?: string; reportedAtMs?: number },
  ): Promise<boolean> {
    const to = nextStates(step, transition);
    if (!to) throw new Error(`a step can't lead from ${step.status} by ${transition}`);
    const nowMs = clock();
    const who = `provider:${provider.name}`;
    const leaseMs = Number(step.kyc_due_at_ms);
    // False if the lease was lost; then the process that holds it does the same.
    return move(
      toReceiverMove({
        ...keyOf(step),
        from: statesOf(step),
        to,
        who,
        atMs: nowMs,
        leaseMs,
        ...rest,
      }),
    );
  }

  const poller = startPoller({
    poll,
    everyMs: limits.kycPollMs,
    inTurn: db.place,
    onError: (error) => log.warn({ err: error, provider: provider.name }, "identity checks"),
  });
  return {
    wake: poller.wake,
    async close() {
      closing.abort();
      await poller.close();
      await Promise.all(running);
    },
  };
}

function keyOf({ subaccount_id, id }: ClaimedStep): ReceiverKey {
  return { subaccountId: subaccount_id, id };
}
