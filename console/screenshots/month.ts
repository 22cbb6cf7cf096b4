// A month of a small company, lived in seconds by the real service with its clock moved along: people join and are
// checked, are paid, some payouts fail, the endpoint has a bad hour. What pages show of it is what they would show.

import { setTimeout as sleep } from "node:timers/promises";
import { Disburse } from "../../client/src/index.ts";
import { findPayouts } from "../../server/src/money/payouts/list-queries.ts";
import { type MoveRequest, toPayoutMove } from "../../server/src/money/payouts/move.ts";
import { movePayouts } from "../../server/src/money/payouts/move-queries.ts";
import { decideKyc } from "../../server/src/people/kyc/decide.ts";
import type { Db } from "../../server/src/platform/db/connect.ts";
import type { IssuedKey } from "../../server/src/tenants/api-keys/create.ts";
import { moveClockTo, releaseClock } from "./moved-clock.ts";
import { type Payee, payees } from "./people-paid.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Reject reasons of banks, with their codes. */
const causes = [
  ["account closed", "3"],
  ["no such account", "5"],
  ["invalid BSB", "1"],
  ["refer to customer", "6"],
] as const;

type Happening = { atMs: number; happen: () => Promise<void> };

type MonthParts = {
  db: Db;
  baseUrl: string;
  issued: IssuedKey;
  sinceMs: number;
  untilMs: number;
};

/** Runs the month, and prints its progress. */
export async function liveMonth(parts: MonthParts, progress: (day: number) => void): Promise<void> {
  const month = new Month(parts);
  await month.live(progress);
  releaseClock();
}

class Month {
  readonly #parts: MonthParts;
  readonly #disburse: Disburse;
  readonly #random = randomFrom(20_261_115);
  readonly #payable: { receiverId: string; accountId: string; currency: string }[] = [];
  #happenings: Happening[] = [];
  #invoice = 2_040;

  constructor(parts: MonthParts) {
    this.#parts = parts;
    const { key: apiKey, secret: apiSecret } = parts.issued;
    this.#disburse = new Disburse({ apiKey, apiSecret, baseUrl: parts.baseUrl, maxRetries: 0 });
  }

  async live(progress: (day: number) => void): Promise<void> {
    const { sinceMs: startMs, untilMs } = this.#parts;
    this.#plan(startMs, Math.ceil((untilMs - startMs) / dayMs));
    let day = 0;
    let happened = 0;
    while (this.#happenings.length > 0) {
      this.#happenings.sort((a, b) => b.atMs - a.atMs);
      const { atMs, happen } = this.#happenings.pop() as Happening;
      if (atMs > untilMs) continue;
      moveClockTo(atMs);
      await happen();
      happened += 1;
      if (happened % 4 === 0) await this.#untilTold();
      const reached = Math.floor((atMs - startMs) / dayMs);
      if (reached > day) progress(reached);
      day = reached;
    }
  }

  #at(atMs: number, happen: () => Promise<void>): void {
    this.#happenings.push({ atMs: Math.round(atMs), happen });
  }

  #plan(startMs: number, days: number): void {
    for (const [currency, amount] of [
      ["AUD", 90_000_00],
      ["NZD", 30_000_00],
    ] as const) {
      for (let day = 0; day < days; day += 7) {
        this.#at(startMs + day * dayMs + 5 * minuteMs, () => this.#fund(currency, amount, day));
      }
    }
    const everybody = payees();
    for (const [index, payee] of everybody.entries()) {
      const joined = index < 22 ? index * 3 * minuteMs : (index - 21) * 2 * dayMs;
      this.#at(startMs + 10 * minuteMs + joined, () => this.#join(payee, index));
    }
    for (let day = 0; day <= days; day += 1) {
      const weekday = new Date(startMs + day * dayMs).getUTCDay();
      const isWeekend = weekday === 0 || weekday === 6;
      const count = Math.round((isWeekend ? 6 : 22) + this.#random() * 8 + day / 4);
      for (let number = 0; number < count; number += 1) {
        const hour = 7 + this.#random() * 11;
        this.#at(startMs + day * dayMs + hour * 60 * minuteMs, () => this.#pay());
      }
    }
  }

  /** Events are delivered in real time, so the clock waits for them, except for refused ones. */
  async #untilTold(): Promise<void> {
    const text = "select from delivery where attempts = 0 limit 1";
    for (let tries = 0; tries < 50; tries += 1) {
      if ((await this.#parts.db.pool.query(text)).rowCount === 0) return;
      await sleep(20);
    }
  }

  async #fund(currency: string, amount: number, day: number): Promise<void> {
    const reference = `TOPUP-${currency}-${String(day / 7 + 1).padStart(2, "0")}`;
    await this.#disburse.testHelpers.fund({ amount, currency, reference });
  }

  async #join({ person, account }: Payee, index: number): Promise<void> {
    const { receiver_id } = await this.#disburse.receivers.create(person);
    const waits = index % 9 === 8;
    if (waits) return;
    const nowMs = Date.now();
    this.#at(nowMs + (2 + this.#random() * 30) * minuteMs, async () => {
      const { db, issued } = this.#parts;
      const key = { subaccountId: issued.subaccountId, id: receiver_id };
      const said = { who: "provider:sandbox", atMs: Date.now() };
      const isRefused = index % 13 === 12;
      await db.transaction((tx) =>
        decideKyc(
          tx,
          key,
          isRefused
            ? { ...said, verdict: "reject", final: true, reason: "the document could not be read" }
            : { ...said, verdict: "approve", reason: "all checks passed" },
        ),
      );
      if (isRefused) return;
      const { account_id } = await this.#disburse.receiverAccounts.create({
        receiver_id,
        ...account,
      });
      const currency = person.country === "NZL" ? "NZD" : "AUD";
      this.#payable.push({ receiverId: receiver_id, accountId: account_id, currency });
    });
  }

  async #pay(): Promise<void> {
    const payee = this.#payable[Math.floor(this.#random() * this.#payable.length)];
    if (!payee) return;
    const { receiverId: receiver_id, accountId: account_id, currency } = payee;
    this.#invoice += 1;
    const amount = Math.round(40_00 + this.#random() ** 3 * 1_900_00);
    const reference = `INV-${this.#invoice}`;
    const made = await this.#disburse.payouts
      .create({ receiver_id, account_id, amount, currency, reference })
      .catch(() => undefined);
    if (!made) return;
    const chance = this.#random();
    const atMs = Date.now();
    const sentMs = atMs + (0.5 + this.#random() * 2) * minuteMs;
    const settledMs = sentMs + (4 + this.#random() ** 4 * 90) * minuteMs;
    const id = made.payout_id;
    this.#at(sentMs, () => this.#move(id, { move: "submit", reason: "sent to the bank" }));
    if (chance < 0.955) {
      const paid = { move: "settle", reason: "paid by the bank" } as const;
      this.#at(settledMs, () => this.#move(id, paid));
      if (chance < 0.012) {
        const cause = "account closed";
        const back = { move: "return", reason: cause, cause, causeCode: "3" } as const;
        this.#at(settledMs + dayMs, () => this.#move(id, back));
      }
    } else if (chance < 0.995) {
      const place = Math.floor(this.#random() ** 2 * causes.length);
      const [cause, causeCode] = causes[place] ?? causes[0];
      const refused = { move: "reject", reason: cause, cause, causeCode } as const;
      this.#at(settledMs, () => this.#move(id, refused));
    }
  }

  async #move(id: string, request: Omit<MoveRequest, "who" | "atMs">): Promise<void> {
    const { db, issued } = this.#parts;
    const { subaccountId } = issued;
    const [payout] = await findPayouts(db, [{ subaccountId, id }]);
    if (!payout) return;
    const said = { who: "rail:sandbox", atMs: Date.now() };
    const providerReference = `sandbox-${id.slice(-12)}`;
    const move = toPayoutMove(
      { ...payout, subaccount_id: subaccountId },
      { ...said, providerReference, ...request },
    );
    await movePayouts(db, [move]);
  }
}

/** The same month every time: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
