// The bank of test subaccounts. The account number decides the outcome of a payout, after a delay. It works as a real
// rail does: a file is built and submitted, and the bank answers with a file.

import { hash } from "node:crypto";
import type { DirectRail, InboundItem, RailPayout } from "./rail.ts";

type Verdict = Pick<InboundItem, "outcome" | "cause" | "causeCode">;

/** Only the last digits count: account numbers of most countries are longer. */
const magicDigits = 8;
const paid: Verdict = { outcome: "settled", cause: "", causeCode: "" };
const silent: Verdict = { outcome: "unknown", cause: "", causeCode: "" };
const cameBack: Verdict = { outcome: "returned", cause: "account closed", causeCode: "3" };

/** Outcomes by the last digits of the account number, in every country and at every bank. Any other account is paid. */
const magicAccounts: Record<string, Verdict> = {
  "12345999": paid,
  "12345111": { outcome: "rejected", cause: "account closed", causeCode: "3" },
  "12345222": { outcome: "rejected", cause: "no such account", causeCode: "5" },
  "12345333": { outcome: "rejected", cause: "invalid BSB", causeCode: "1" },
  "12345888": silent,
  "12345444": paid,
};
const returnedAccount = "12345444";

function verdictOn({ accountNumber, isPaid }: RailPayout & { isPaid: boolean }): Verdict {
  const ending = accountNumber.slice(-magicDigits);
  // A settled payout can only be returned, and only one account returns it.
  if (isPaid) return ending === returnedAccount ? cameBack : silent;
  return magicAccounts[ending] ?? paid;
}

export function sandboxRail({ delayMs }: { delayMs: number }): DirectRail {
  return {
    id: "sandbox",
    askAfterMs: delayMs,
    rejectReason: ({ currency, accountCurrency }) =>
      accountCurrency === undefined || accountCurrency === currency
        ? undefined
        : `accounts of this country are paid in ${accountCurrency}`,
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
