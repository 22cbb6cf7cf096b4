// The bank of test subaccounts. The account number decides the outcome of a payout, after a delay. It works as a real
// rail does: a file is built and submitted, and the bank answers with a file.

import { hash } from "node:crypto";
import {
  findMagicOutcome,
  type MagicCause,
} from "../../../../packages/bank-simulator/src/magic-accounts.ts";
import type { DirectRail, InboundItem, RailPayout } from "./rail.ts";

type Verdict = Pick<InboundItem, "outcome" | "cause" | "causeCode">;

const paid: Verdict = { outcome: "settled", cause: "", causeCode: "" };
const silent: Verdict = { outcome: "unknown", cause: "", causeCode: "" };
/** The bank's own codes, as those of Direct Entry. */
const codes: Record<MagicCause, string> = {
  "account closed": "3",
  "no such account": "5",
  "invalid BSB": "1",
};

/** Any account without an outcome of its own is paid. */
function verdictOn({ accountNumber, isPaid }: RailPayout & { isPaid: boolean }): Verdict {
  const magic = findMagicOutcome(accountNumber);
  // A settled payout can only be returned, and only one account returns it.
  const kind = isPaid ? "returned" : "rejected";
  if (magic && "cause" in magic && magic.kind === kind) {
    return { outcome: kind, cause: magic.cause, causeCode: codes[magic.cause] };
  }
  return isPaid || magic?.kind === "silent" ? silent : paid;
}

export function sandboxRail({ delayMs }: { delayMs: number }): DirectRail {
  return {
    id: "sandbox",
    askAfterMs: delayMs,
    rejectReason: ({ currency, accountCurrency }) =>
      accountCurrency === undefined || accountCurrency === currency ? undefined : "currency-unfit",
    // It is open every day, from midnight UTC.
    schedule: (nowMs, sendOn) => ({
      dueAtMs: Math.max(nowMs, sendOn === "" ? 0 : Date.parse(sendOn)) + delayMs,
      processDate: sendOn,
      expectedArrival: sendOn,
    }),
    buildBatch(id, payouts) {
      const lines = payouts.map(({ payoutId, amount, currency, bsb, accountNumber }) =>
        JSON.stringify({ payoutId, amount: String(amount), currency, bsb, accountNumber }),
      );
      const bytes = Buffer.from(`${lines.join("\n")}\n`);
      const name = `sandbox-${id}.jsonl`;
      const amount = payouts.reduce((sum, payout) => sum + payout.amount, 0n);
      const totals = { count: payouts.length, amount };
      return { id, payouts, files: [{ name, bytes, sha256: hash("sha256", bytes) }], totals };
    },
    submit: async ({ id }) => `sandbox-${id.replaceAll("-", "").slice(-12)}`,
    async ask(payouts) {
      const items = payouts.map((payout): InboundItem => {
        const providerReference = `sandbox-${payout.payoutId.slice(-12)}`;
        return { payoutId: payout.payoutId, providerReference, ...verdictOn(payout) };
      });
      return Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    },
    parseInbound: (bytes) =>
      bytes
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as InboundItem),
  };
}
