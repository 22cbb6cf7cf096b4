// The background of payouts: sends them to the bank and asks what became of them. A payout is due at a time;
// taking it moves the time ahead, which is the lease, so a process that dies loses nothing. It is noted as
// submitted before it is sent: after a crash in between it is sent again, which the bank knows by its id,
// and never held to be unsent.

import { accountNumberIdentity } from "../accounts/account.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { type Lookout, startLookout, together } from "../db/lookout.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { InboundItem, Rail, RailPayout } from "../rails/rail.ts";
import type { Seal } from "../seal.ts";
import { toMove, type Wish } from "./move.ts";
import { movePayouts } from "./queries.ts";
import { type ClaimedPayout, claimPayouts, postponePayouts } from "./step-queries.ts";

export type PayoutWorkerParts = {
  db: Db;
  seal: Seal;
  rails: readonly Rail[];
  log: { warn(context: object, message: string): void };
  clock?: Clock;
};

export function startPayouts(parts: PayoutWorkerParts): Lookout {
  // A lane for each rail: a bank that hangs never keeps another's payouts waiting.
  return together(parts.rails.map((rail) => startLane(parts, rail)));
}

function startLane({ db, seal, log, clock = systemClock }: PayoutWorkerParts, rail: Rail): Lookout {
  const closing = new AbortController();
  const who = `rail:${rail.id}`;

  async function look(): Promise<void> {
    const nowMs = clock();
    const claimed = await claimPayouts(db, {
      rail: rail.id,
      nowMs,
      leaseUntilMs: nowMs + limits.railLeaseMs,
      limit: limits.railBatchMax,
    });
    if (claimed.length === limits.railBatchMax) lookout.wake();
    const queued = claimed.filter(({ stage }) => stage === "queued");
    const sent = claimed.filter(({ stage }) => stage !== "queued");
    // Each for itself: what fails does not cost the others their turn. The first, because much may have happened
    // since a payout was accepted.
    await stop(queued.filter((payout) => !isPayable(payout))).catch(onError);
    await send(queued.filter(isPayable)).catch(onError);
    // Noted as submitted, but the bank never confirmed it.
    const isConfirmed = ({ provider_reference }: ClaimedPayout) => provider_reference !== "";
    await submit(sent.filter((payout) => !isConfirmed(payout))).catch(onError);
    await ask(sent.filter(isConfirmed)).catch(onError);
  }

  async function stop(payouts: ClaimedPayout[]): Promise<void> {
    const cause = "the receiver or its account can no longer be paid";
    await moveAll(payouts, () => ({ move: "stop", reason: cause, cause, causeCode: "" }));
  }

  async function send(payable: ClaimedPayout[]): Promise<void> {
    const atMs = clock();
    const done = await moveAll(payable, () => ({
      move: "submit",
      reason: "sent to the bank",
      // Until the bank has it, it is due again as soon as the lease of this step would end.
      dueAtMs: atMs + limits.railLeaseMs,
    }));
    const ours = payable.filter(({ id }) => done.has(id));
    await submit(
      ours.map((payout) => ({ ...payout, due_at_ms: String(atMs + limits.railLeaseMs) })),
    );
  }

  async function submit(payouts: ClaimedPayout[]): Promise<void> {
    if (payouts.length === 0) return;
    const batch = rail.buildBatch(newId(), payouts.map(toRailPayout));
    const providerReference = await rail.submit(batch, signal());
    const { askAfterMs } = rail;
    const dueAtMs = askAfterMs === undefined ? undefined : clock() + askAfterMs;
    await postponePayouts(
      db,
      payouts.map((payout) => ({ payout, dueAtMs, providerReference })),
    );
    if (askAfterMs === 0) lookout.wake();
  }

  async function ask(sent: ClaimedPayout[]): Promise<void> {
    if (sent.length === 0) return;
    const asked = sent.map((payout) => ({
      ...toRailPayout(payout),
      isPaid: payout.stage === "settled",
    }));
    const items = rail.parseInbound(await rail.ask(asked, signal()));
    const byId = new Map(items.map((item) => [item.payoutId, item]));
    const moving = sent.filter((payout) => moveOf(payout, byId.get(payout.id)));
    await moveAll(moving, (payout) => moveOf(payout, byId.get(payout.id)) as Partial<Wish>);
    // Nothing was said of the rest. A payout stays where it is until somebody knows better.
    const silent = sent.filter((payout) => !moving.includes(payout));
    if (silent.length > 0) {
      await postponePayouts(
        db,
        silent.map((payout) => ({ payout, dueAtMs: undefined })),
      );
    }
  }

  function moveOf(payout: ClaimedPayout, item: InboundItem | undefined): Partial<Wish> | undefined {
    if (!item) return undefined;
    const { cause, causeCode, providerReference } = item;
    const isPaid = payout.stage === "settled";
    if (item.outcome === "settled" && !isPaid) {
      // A bank may still send it back.
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
    wishOf: (payout: ClaimedPayout) => Partial<Wish>,
  ): Promise<ReadonlySet<string>> {
    if (payouts.length === 0) return new Set();
    const atMs = clock();
    return movePayouts(
      db,
      payouts.map((payout) => {
        const lease = { leaseMs: Number(payout.due_at_ms) };
        return toMove(payout, { who, atMs, ...lease, ...wishOf(payout) } as Wish);
      }),
    );
  }

  function toRailPayout(payout: ClaimedPayout): RailPayout {
    const { subaccount_id, account_id, account_version, account_number_sealed } = payout;
    const identity = accountNumberIdentity(subaccount_id, account_id, account_version);
    return {
      payoutId: payout.id,
      amount: BigInt(payout.amount),
      currency: payout.currency,
      country: payout.country,
      bsb: payout.bsb,
      bankCode: payout.bank_code,
      accountNumber: seal.open(account_number_sealed, identity),
      payeeName: `${payout.first_name} ${payout.last_name}`,
      reference: payout.reference,
    };
  }

  const signal = () => AbortSignal.any([AbortSignal.timeout(limits.railCallMs), closing.signal]);
  const onError = (error: unknown) =>
    log.warn({ err: error, rail: rail.id }, "payouts: will try again");
  const lookout = startLookout({ look, everyMs: limits.railLookMs, onError });
  return {
    wake: lookout.wake,
    close() {
      closing.abort();
      return lookout.close();
    },
  };
}

function isPayable({ receiver_status, kyc_status, account_status }: ClaimedPayout): boolean {
  return receiver_status === "active" && kyc_status === "completed" && account_status === "active";
}
