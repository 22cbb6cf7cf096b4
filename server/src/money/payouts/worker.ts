// The payout worker: sends payouts to their rail and asks for the outcome. A payout has a due time. Claiming it moves
// the due time ahead, which is the lease, so a process that dies loses nothing. A payout is recorded as submitted
// before it is sent. After a crash in between it is sent again, and the bank recognizes it by its id.

import { openNumberIfReadable, payeeOf } from "../../people/person/index.ts";
import { type Clock, newId, systemClock } from "../../platform/base/index.ts";
import {
  combinePollers,
  type Db,
  isStatementError,
  type Poller,
  startPoller,
} from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { DirectRail, InboundItem, RailDirectory, RailPayout } from "../rails/index.ts";
import { holdPayouts } from "./hold.ts";
import { readHoldState } from "./hold-queries.ts";
import { type MoveRequest, toPayoutMove } from "./move.ts";
import { movePayoutsOfMany } from "./move-queries.ts";
import { retryAtMs, type SetAsideReason, setAsideReasons } from "./set-aside.ts";
import { countSetAside, setPayoutsAside } from "./set-aside-queries.ts";
import {
  type ClaimedPayout,
  claimPayouts,
  payoutTurns,
  postponePayouts,
} from "./worker-queries.ts";

type PayoutWorkerParts = {
  db: Db;
  seal: Seal;
  rails: RailDirectory;
  metrics?: Metrics | undefined;
  log: { warn(context: object, message: string): void };
  clock?: Clock;
  /** From 0 to 1, for the jitter of retries. */
  random?: () => number;
};

export function startPayoutWorker(parts: PayoutWorkerParts): Poller {
  parts.metrics?.collectPayouts(() => readState(parts));
  // A poller for each rail: a bank that hangs never delays the payouts of another.
  return combinePollers(parts.rails.directRails.map((rail) => startRail(parts, rail)));
}

async function readState({ db, clock = systemClock }: PayoutWorkerParts) {
  const { count, oldestMs } = await readHoldState(db, limits.holdsCountedMax);
  return {
    ...(await countSetAside(db, limits.setAsideCountedMax)),
    onHold: count,
    oldestHoldAgeSeconds: oldestMs === undefined ? 0 : (clock() - oldestMs) / 1000,
  };
}

function startRail(
  { db, seal, log, clock = systemClock, random = Math.random }: PayoutWorkerParts,
  rail: DirectRail,
): Poller {
  const closing = new AbortController();
  const who = `rail:${rail.id}`;
  const nextTurn = payoutTurns(db, rail.id);

  async function poll(): Promise<void> {
    const nowMs = clock();
    const limit = limits.railBatchMax;
    const turn = await nextTurn(nowMs, limit);
    if (turn.isMore) poller.wake();
    if (turn.subaccountIds.length === 0) return;
    const leaseUntilMs = nowMs + limits.railLeaseMs;
    const claimed = await claimPayouts(db, { rail: rail.id, nowMs, leaseUntilMs, limit, turn });
    if (claimed.length === limit) poller.wake();
    const queued = claimed.filter(({ stage }) => stage === "queued");
    const sent = claimed.filter(({ stage }) => stage !== "queued");
    // Each step fails on its own, so that one failure never stops the others. Receivers and accounts are checked once
    // more, because they may have changed since the payout was accepted.
    const toHold = queued.filter(({ is_in_review }) => is_in_review);
    if (toHold.length > 0) await hold(toHold).catch(onError);
    const toSend = queued.filter(({ is_in_review }) => !is_in_review);
    await stop(toSend.filter((payout) => !isPayable(payout))).catch(onError);
    await send(toSend.filter(isPayable)).catch(onError);
    // Recorded as submitted, but the bank never confirmed it.
    const isConfirmed = ({ provider_reference }: ClaimedPayout) => provider_reference !== "";
    const unconfirmed = sent.filter((payout) => !isConfirmed(payout));
    // The bank may have it or not, so it can be neither held nor sent again before the review is decided.
    const inReview = unconfirmed.filter(({ is_in_review }) => is_in_review);
    await setAside(inReview, "in_review").catch(onError);
    const toSendAgain = unconfirmed.filter(({ is_in_review }) => !is_in_review);
    await buildEach(toSendAgain).then(submit).catch(onError);
    await ask(sent.filter(isConfirmed)).catch(onError);
  }

  async function hold(payouts: ClaimedPayout[]): Promise<void> {
    const holding = { who: "service", atMs: clock(), reason: { kind: "screening" } } as const;
    await db.background.transaction((tx) => holdPayouts(tx, payouts, holding));
  }

  async function stop(payouts: ClaimedPayout[]): Promise<void> {
    const cause = "the receiver or its account can no longer be paid";
    await moveAll(payouts, () => ({ move: "stop", reason: cause, cause, causeCode: "" }));
  }

  async function send(payable: ClaimedPayout[]): Promise<void> {
    // Built before it is recorded as submitted: one that can't be built was never sent, and can be cancelled.
    const built = await buildEach(payable);
    const atMs = clock();
    const done = await moveAll([...built.keys()], () => ({
      move: "submit",
      reason: "sent to the bank",
      // Until the bank confirms it, it is due again when the lease of this step ends.
      dueAtMs: atMs + limits.railLeaseMs,
    }));
    const ours = new Map<ClaimedPayout, RailPayout>();
    for (const [payout, item] of built) {
      if (done.has(payout.id)) {
        ours.set({ ...payout, due_at_ms: String(atMs + limits.railLeaseMs) }, item);
      }
    }
    await submit(ours);
  }

  async function submit(built: ReadonlyMap<ClaimedPayout, RailPayout>): Promise<void> {
    if (built.size === 0) return;
    const batch = rail.buildBatch(newId(), [...built.values()]);
    const payouts = [...built.keys()];
    let providerReference: string;
    try {
      providerReference = await rail.submit(batch, signal());
    } catch (error) {
      onError(error);
      return setAside(payouts, "unconfirmed");
    }
    const { askAfterMs } = rail;
    const dueAtMs = askAfterMs === undefined ? undefined : clock() + askAfterMs;
    await postponePayouts(
      db,
      payouts.map((payout) => ({ payout, dueAtMs, providerReference })),
    );
    if (askAfterMs === 0) poller.wake();
  }

  async function ask(sent: ClaimedPayout[]): Promise<void> {
    const built = await buildEach(sent);
    if (built.size === 0) return;
    const questions = [...built].map(([{ stage }, item]) => ({
      ...item,
      isPaid: stage === "settled",
    }));
    const payouts = [...built.keys()];
    let items: InboundItem[];
    try {
      items = rail.parseInbound(await rail.ask(questions, signal()));
    } catch (error) {
      onError(error);
      return postpone(payouts, retryTimeMs);
    }
    const byId = new Map(items.map((item) => [item.payoutId, item]));
    const toMove = payouts.filter((payout) => moveOf(payout, byId.get(payout.id)));
    await moveAll(toMove, (payout) => moveOf(payout, byId.get(payout.id)) as Partial<MoveRequest>);
    // The bank reported nothing about the rest. A settled payout stays settled; for the others we ask again.
    const silent = payouts.filter((payout) => !toMove.includes(payout));
    await postpone(silent, (payout) =>
      payout.stage === "settled" ? undefined : retryTimeMs(payout),
    );
  }

  const retryTimeMs = ({ attempts }: ClaimedPayout) => retryAtMs(clock(), attempts, random());

  async function postpone(
    payouts: readonly ClaimedPayout[],
    dueOf: (payout: ClaimedPayout) => number | undefined,
  ): Promise<void> {
    if (payouts.length === 0) return;
    await postponePayouts(
      db,
      payouts.map((payout) => ({ payout, dueAtMs: dueOf(payout) })),
    );
  }

  /** Builds each payout for the bank. One that can't be built is set aside and delays no other. */
  async function buildEach(
    payouts: readonly ClaimedPayout[],
  ): Promise<ReadonlyMap<ClaimedPayout, RailPayout>> {
    const built = new Map<ClaimedPayout, RailPayout>();
    const failed = { unreadable: [] as ClaimedPayout[], unbuildable: [] as ClaimedPayout[] };
    for (const payout of payouts) {
      const item = toRailPayout(payout);
      if (item) built.set(payout, item);
      else failed.unreadable.push(payout);
    }
    if (!isBuildable([...built.values()])) {
      for (const [payout, item] of [...built]) {
        if (isBuildable([item])) continue;
        built.delete(payout);
        failed.unbuildable.push(payout);
      }
    }
    await setAside(failed.unreadable, "unreadable");
    await setAside(failed.unbuildable, "unbuildable");
    return built;
  }

  function isBuildable(items: readonly RailPayout[]): boolean {
    try {
      rail.buildBatch(newId(), items);
      return true;
    } catch {
      return false;
    }
  }

  async function setAside(payouts: readonly ClaimedPayout[], why: SetAsideReason): Promise<void> {
    if (payouts.length === 0) return;
    const nowMs = clock();
    const reason = setAsideReasons[why];
    log.warn(
      { rail: rail.id, why, payouts: payouts.map(({ id }) => id) },
      "payouts: set aside, will try again",
    );
    // A settled payout has its outcome: we only ask later whether the bank returned it.
    await postpone(
      payouts.filter(({ stage }) => stage === "settled"),
      retryTimeMs,
    );
    const unsettled = payouts.filter(({ stage }) => stage !== "settled");
    if (unsettled.length === 0) return;
    await setPayoutsAside(
      db,
      unsettled.map((payout) => ({ payout, reason, dueAtMs: retryTimeMs(payout) })),
      nowMs,
    );
  }

  function moveOf(
    payout: ClaimedPayout,
    item: InboundItem | undefined,
  ): Partial<MoveRequest> | undefined {
    if (!item) return undefined;
    const { cause, causeCode, providerReference } = item;
    const isPaid = payout.stage === "settled";
    if (item.outcome === "settled" && !isPaid) {
      // The bank may still return it.
      const dueAtMs = rail.askAfterMs === undefined ? undefined : clock() + rail.askAfterMs;
      return { move: "settle", reason: "paid by the bank", providerReference, dueAtMs };
    }
    if (item.outcome === "rejected" && !isPaid) {
      return { move: "reject", reason: cause, cause, causeCode, providerReference };
    }
    if (item.outcome === "returned" && isPaid) {
      return { move: "return", reason: cause, cause, causeCode, providerReference };
    }
    return undefined;
  }

  async function moveAll(
    payouts: readonly ClaimedPayout[],
    requestOf: (payout: ClaimedPayout) => Partial<MoveRequest>,
  ): Promise<ReadonlySet<string>> {
    if (payouts.length === 0) return new Set();
    const atMs = clock();
    try {
      return await movePayoutsOfMany(
        db,
        payouts.map((payout) => {
          const lease = { leaseMs: Number(payout.due_at_ms) };
          return toPayoutMove(payout, { who, atMs, ...lease, ...requestOf(payout) } as MoveRequest);
        }),
      );
    } catch (error) {
      // PostgreSQL refused the whole statement. Each payout is moved alone, and only the faulty one is set aside.
      if (!isStatementError(error)) throw error;
      if (payouts.length === 1) {
        onError(error);
        await setAside(payouts, "unrecorded");
        return new Set();
      }
      const moved = new Set<string>();
      for (const payout of payouts) {
        for (const id of await moveAll([payout], requestOf)) moved.add(id);
      }
      return moved;
    }
  }

  /** Undefined where its account number can't be decrypted. */
  function toRailPayout(payout: ClaimedPayout): RailPayout | undefined {
    const version = payout.account_version;
    const accountNumber = openNumberIfReadable(seal, { ...payout, version });
    if (accountNumber === undefined) return undefined;
    return {
      payoutId: payout.id,
      amount: BigInt(payout.sent_amount),
      currency: payout.currency,
      country: payout.country,
      bsb: payout.bsb,
      bankCode: payout.bank_code,
      accountNumber,
      payeeName: payeeOf(payout),
      reference: payout.reference,
    };
  }

  const signal = () => AbortSignal.any([AbortSignal.timeout(limits.railCallMs), closing.signal]);
  const onError = (error: unknown) =>
    log.warn({ err: error, rail: rail.id }, "payouts: will try again");
  const poller = startPoller({
    poll,
    everyMs: limits.railPollMs,
    onError,
    inTurn: db.place,
  });
  return {
    wake: poller.wake,
    close() {
      closing.abort();
      return poller.close();
    },
  };
}

function isPayable({ receiver_status, kyc_status, account_status }: ClaimedPayout): boolean {
  return receiver_status === "active" && kyc_status === "completed" && account_status === "active";
}
