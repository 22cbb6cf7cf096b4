// A plain model of payouts in memory: no database and no code of the service. Balances are not stored but follow from
// the payouts' stages.

type Stage =
  | ("awaiting_approval" | "queued" | "submitted")
  | ("settled" | "rejected" | "cancelled" | "returned");

export type ModelPayout = PayoutInput & {
  /** Known once the service has answered. */
  id: string;
  stage: Stage;
  /** When a worker claims it next; undefined: never. During a poll it is the end of the lease. */
  dueMs: number | undefined;
  /** Polls that claimed it since it last moved. */
  attempts: number;
  /** The bank has confirmed it, or a test helper has set its outcome. */
  confirmed: boolean;
  events: string[];
  transfers: string[];
  path: Stage[];
};

/** Receivers and accounts by number. The last number is unknown; account 1 belongs to receiver 1. */
export type PayoutInput = {
  receiver: number;
  account: number;
  amount: number;
  currency: string;
  reference: string;
  allowDuplicate: boolean;
};

export type Kept = { hash: string; body: string };

export type Model = {
  payouts: ModelPayout[];
  funded: Map<string, number>;
  /** Whether each receiver has passed its check. */
  payable: boolean[];
  kept: Map<string, Kept>;
};

export const payoutMax = 400;
/** A payout above it waits for approval. */
export const approvalAbove = 300;
const leaseMs = 15_000;
const firstRetryMs = 15_000;
const lastRetryMs = 3_600_000;

export function newModel(): Model {
  return { payouts: [], funded: new Map(), payable: [true, true], kept: new Map() };
}

const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, each) => total + each, 0);

export function balancesOf({ payouts, funded }: Model) {
  const all = sum(funded.values());
  const at = (stage: Stage) =>
    sum(payouts.filter((payout) => payout.stage === stage).map(({ amount }) => amount));
  const held = at("awaiting_approval") + at("queued");
  const [clearing, paid] = [at("submitted"), at("settled")];
  return {
    available: all - held - clearing - paid,
    held,
    clearing,
    returns: 0,
    fees: 0,
    bank: all - paid,
    transfers: funded.size + sum(payouts.map(({ transfers }) => transfers.length)),
  };
}

export function statusOf(stage: Stage): string {
  if (["awaiting_approval", "queued", "submitted"].includes(stage)) return "pending";
  return stage === "settled" ? "successful" : "failed";
}

type Funded = "funded" | "funded-before" | "other-amount";

export function fund({ funded }: Model, reference: string, amount: number): Funded {
  const before = funded.get(reference);
  if (before !== undefined) return before === amount ? "funded-before" : "other-amount";
  funded.set(reference, amount);
  return "funded";
}

/** Returns a new payout, or its refusal: the first reason in the published order. */
export function create(model: Model, input: PayoutInput): ModelPayout | string {
  const { receiver, account, amount, reference } = input;
  const isKnown = receiver < model.payable.length;
  if (!isKnown) return "receiver-unknown";
  if (!model.payable[receiver]) return "receiver-not-payable";
  if (account !== receiver) return "account-unknown";
  if (input.currency !== "AUD") return "currency-unfit";
  if (amount > payoutMax) return "over-payout-limit";
  const isDuplicate = (other: ModelPayout) =>
    other.account === account && other.amount === amount && other.reference === reference;
  if (!input.allowDuplicate && model.payouts.some(isDuplicate)) return "duplicate";
  if (amount > balancesOf(model).available) return "no-funds";
  const waits = amount > approvalAbove;
  const payout: ModelPayout = {
    ...input,
    id: "",
    stage: waits ? "awaiting_approval" : "queued",
    dueMs: waits ? undefined : 0,
    attempts: 0,
    confirmed: false,
    events: ["payoutCreated"],
    transfers: ["hold"],
    path: [],
  };
  model.payouts.push(payout);
  return payout;
}

/** Returns all payouts, or the refusals by row. */
export function createBatch(
  model: Model,
  inputs: readonly PayoutInput[],
): ModelPayout[] | Map<number, string> {
  const before = model.payouts.length;
  const outcomes = inputs.map((input) => create(model, input));
  const reasons = outcomes.flatMap((outcome, row): [number, string][] =>
    typeof outcome === "string" ? [[row, outcome]] : [],
  );
  if (reasons.length === 0) return model.payouts.slice(before);
  model.payouts.length = before;
  return new Map(reasons);
}

const moves = {
  approve: { from: "awaiting_approval", to: "queued", transfers: [], events: [] },
  decline: {
    from: "awaiting_approval",
    to: "cancelled",
    transfers: ["release"],
    events: ["payoutFailure"],
  },
  submit: { from: "queued", to: "submitted", transfers: ["submit"], events: [] },
  settle: { from: "submitted", to: "settled", transfers: ["settle"], events: ["payoutUpdate"] },
  reject: { from: "submitted", to: "rejected", transfers: ["reject"], events: ["payoutFailure"] },
  stop: { from: "queued", to: "rejected", transfers: ["release"], events: ["payoutFailure"] },
  cancel: { from: "queued", to: "cancelled", transfers: ["release"], events: ["payoutFailure"] },
  return: {
    from: "settled",
    to: "returned",
    transfers: ["return", "credit"],
    events: ["payoutFailure"],
  },
} as const;
type Move = keyof typeof moves;

/** Moves the payout if it is in the stage where the move starts. Returns whether it moved. */
function move(payout: ModelPayout, name: Move, dueMs?: number): boolean {
  const { from, to, transfers, events } = moves[name];
  if (payout.stage !== from) return false;
  payout.stage = to;
  payout.dueMs = dueMs;
  payout.attempts = 0;
  payout.transfers.push(...transfers);
  payout.events.push(...events);
  payout.path.push(to);
  return true;
}

/** A second cancel changes nothing and is not refused. */
export function cancel(payout: ModelPayout | undefined): string | undefined {
  if (!payout) return "PAYO101";
  if (payout.stage === "cancelled") return undefined;
  return move(payout, "decline") || move(payout, "cancel") ? undefined : "PAYO301";
}

/** By its creator or by another user. */
export function approve(payout: ModelPayout | undefined, byMaker: boolean): string | undefined {
  if (!payout) return "PAYO101";
  if (payout.stage !== "awaiting_approval") return "CONS401";
  if (byMaker) return "CONS402";
  move(payout, "approve", 0);
  return undefined;
}

export type End = "success" | "fail" | "return";

/** The status afterwards, or the refusal; undefined where there is no such payout. */
export function simulate(payout: ModelPayout | undefined, end: End): string | undefined {
  if (!payout) return undefined;
  if (end !== "return") move(payout, "submit");
  const last = { success: "settle", fail: "reject", return: "return" } as const;
  if (!move(payout, last[end])) return "PAYO302";
  payout.confirmed = true;
  return statusOf(payout.stage);
}

export type Verdict = "settled" | "rejected" | "returned" | "unknown";

/** The bank's report about a payout in this stage; undefined if it has none. */
function moveOf(stage: Stage, verdict: Verdict): Move | undefined {
  if (stage === "settled") return verdict === "returned" ? "return" : undefined;
  if (verdict === "settled") return "settle";
  return verdict === "rejected" ? "reject" : undefined;
}

/**
 * One poll of the worker. It yields before each of its statements, where it may die or another process may act first.
 * Its data is then out of date, and its lease may be over.
 */
export function* poll(
  model: Model,
  nowMs: number,
  verdictOf: (payout: { id: string }) => Verdict,
): Generator<void, void> {
  const lease = nowMs + leaseMs;
  const isOurs = ({ payout }: { payout: ModelPayout }) => payout.dueMs === lease;
  const confirm = (payouts: readonly { payout: ModelPayout }[]) => {
    for (const { payout } of payouts.filter(isOurs)) {
      payout.confirmed = true;
      payout.dueMs = nowMs;
    }
  };

  const isDue = ({ dueMs }: ModelPayout) => dueMs !== undefined && dueMs <= nowMs;
  // The first statement finds the subaccounts with due payouts, the second claims them.
  yield;
  if (!model.payouts.some(isDue)) return;
  yield;
  const claimed = model.payouts.filter(isDue).map((payout) => {
    payout.dueMs = lease;
    payout.attempts += 1;
    const { stage, confirmed, attempts } = payout;
    return { payout, stage, confirmed, attempts, payable: model.payable[payout.receiver] === true };
  });
  const queued = claimed.filter(({ stage }) => stage === "queued");
  const stopped = queued.filter(({ payable }) => !payable);
  const toSend = queued.filter(({ payable }) => payable);

  if (stopped.length > 0) {
    yield;
    for (const { payout } of stopped.filter(isOurs)) move(payout, "stop");
  }
  if (toSend.length > 0) {
    yield;
    const sent = toSend.filter((one) => isOurs(one) && move(one.payout, "submit", lease));
    if (sent.length > 0) {
      yield;
      confirm(sent);
    }
  }

  const before = claimed.filter(({ stage }) => stage !== "queued");
  const unconfirmed = before.filter(({ confirmed }) => !confirmed);
  if (unconfirmed.length > 0) {
    yield;
    confirm(unconfirmed);
  }
  const asked = before
    .filter(({ confirmed }) => confirmed)
    .map((one) => ({ ...one, name: moveOf(one.stage, verdictOf(one.payout)) }));
  const moving = asked.filter(({ name }) => name);
  if (moving.length > 0) {
    yield;
    for (const { payout, name } of moving.filter(isOurs)) {
      move(payout, name as Move, name === "settle" ? nowMs : undefined);
    }
  }
  const silent = asked.filter(({ name }) => !name);
  if (silent.length > 0) {
    yield;
    for (const { payout, stage, attempts } of silent.filter(isOurs)) {
      // The bank has no outcome: the worker asks again, with a longer pause each time.
      const waitMs = Math.min(firstRetryMs * 2 ** (attempts - 1), lastRetryMs);
      payout.dueMs = stage === "settled" ? undefined : nowMs + waitMs;
    }
  }
}
