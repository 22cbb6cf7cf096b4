// Hits and payouts on hold for the tests of the review queue, written as screening and rules write them.

import { newId } from "../../src/ids.ts";
import { holdPayouts, holdPayoutsOf } from "../../src/payouts/hold.ts";
import { type HoldReason, lockUnsentPayouts } from "../../src/payouts/hold-queries.ts";
import { insertRuleMatches } from "../../src/payouts/rule-match-queries.ts";
import type { HitExplanation } from "../../src/screening/hit.ts";
import type { ListEntry } from "../../src/screening/lists/list-entry.ts";
import { type ConsoleService, startConsole, type TestPerson } from "./console.ts";
import { insertHit } from "./hits.ts";
import { newPayee } from "./payers.ts";
import { ruleOf } from "./rules.ts";

/** A console in which the bank takes so long that no payout is sent while a test looks at it. */
export async function startReviewQueue() {
  const service = await startConsole({ bankDelayMs: 3_600_000 });
  const operator = service.enter("operator");
  return {
    service,
    operator,
    second: service.enter("admin"),
    tools: reviewTools(service, operator),
  };
}

export type ReviewedPayer = Awaited<ReturnType<typeof newReviewedPayer>>;

/** A subaccount with money, and a receiver who can be paid. */
export async function newReviewedPayer(
  service: ConsoleService,
  changes: Parameters<typeof newPayee>[2] = {},
) {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse, "12345999", changes);
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: newId() });
  const receiver = { subaccountId, receiverId: receiver_id };
  return {
    ...caller,
    receiver_id,
    account_id,
    pay: async (amount: number, reference = newId()) => {
      const payout = { receiver_id, account_id, currency: "AUD", amount, reference };
      return (await disburse.payouts.create(payout)).payout_id;
    },
    /** Pays, and a rule holds it. */
    async payHeldByRule(amount: number, reference?: string): Promise<string> {
      const id = await this.pay(amount, reference);
      const reason: HoldReason = { kind: "rule", rule_id: "receiver_day", version: 1 };
      await service.db.transaction(async (tx) => {
        const unsent = await lockUnsentPayouts(tx, receiver, { afterId: noId, limit: 200 });
        const mine = unsent.filter((payout) => payout.id === id);
        await holdPayouts(tx, mine, { who: "service", atMs: Date.now(), reason });
        const figures = { of: "receiver", window: "day", sum: String(amount), above: "100000" };
        await insertRuleMatches(tx, [{ subaccountId, id, version: 1, rule, figures }]);
      });
      return id;
    },
    /** A hit of the receiver, which holds its payouts. Returns its id. */
    async openHit(entry: Partial<ListEntry> = {}, openedAtMs = Date.now()): Promise<string> {
      const id = await listedHit(service, receiver, entry, openedAtMs);
      const reason: HoldReason = { kind: "screening", hit_id: id };
      await service.db.transaction((tx) =>
        holdPayoutsOf(tx, receiver, { who: "service", atMs: openedAtMs, reason }),
      );
      return id;
    },
  };
}

type ReviewedKind = "hit" | "hold";
export type ReviewedLine = { kind: string; case_id: string; why: string };

export const codeOf = ({ json }: { json: { error: [{ code: string }] } }) => json.error[0].code;
export const idsIn = (lines: readonly ReviewedLine[]) => lines.map(({ case_id }) => case_id);
export const pathOf = (kind: ReviewedKind, payer: { subaccountId: string }, id: string) =>
  `/reviews/${kind}s/${payer.subaccountId}/${id}`;

/** What tests do in the review queue: as the operator, unless another user is named. */
export function reviewTools({ db }: Pick<ConsoleService, "db">, operator: TestPerson) {
  async function caseOf(kind: ReviewedKind, payer: ReviewedPayer, id: string, person = operator) {
    const { status, json } = await person.get(pathOf(kind, payer, id));
    if (status !== 200) throw new Error(`the case is refused with ${status}`);
    return json;
  }
  return {
    caseOf,
    /** Decides the case as it is now. */
    async decide(
      [kind, payer, id]: [ReviewedKind, ReviewedPayer, string],
      action: string,
      { person = operator, ...body }: { person?: TestPerson; release?: boolean } = {},
    ) {
      const { version } = await caseOf(kind, payer, id, person);
      const path = `${pathOf(kind, payer, id)}/${action}`;
      return person.post(path, { version, reason: "compared the passports", ...body });
    },
    queueOf: async ({ subaccountId }: ReviewedPayer, query = ""): Promise<ReviewedLine[]> =>
      (await operator.get(`/reviews?subaccount_id=${subaccountId}&${query}`)).json.rows,
    async actionsOn(id: string): Promise<string[]> {
      const { rows } = await db.pool.query(
        "select action from audit_entry where object_id = $1 order by number",
        [id],
      );
      return rows.map(({ action }) => action);
    },
  };
}

export async function stageOf({ disburse }: ReviewedPayer, id: string): Promise<string> {
  return (await disburse.payouts.get(id)).stage;
}

const rule = ruleOf({
  id: "receiver_day",
  name: "More than 1,000.00 to one receiver in a day",
  when: { fact: "sum", of: "receiver", window: "day", above: 100_000 },
});

const noId = "00000000-0000-0000-0000-000000000000";

const listed: Omit<ListEntry, "key"> = {
  kind: "person",
  names: [
    { text: "LOVELACE, Ada Augusta", isWeak: false },
    { text: "KING, Countess", isWeak: true },
  ],
  birthDates: ["1815", "1815/1816"],
  countries: ["GBR", "FRA"],
  program: "ENGINE2",
  remarks: "Mathematician. Linked to the analytical engine",
};

async function listedHit(
  { db }: ConsoleService,
  receiver: { subaccountId: string; receiverId: string },
  changes: Partial<ListEntry>,
  openedAtMs: number,
): Promise<string> {
  const id = newId();
  const entry: ListEntry = { ...listed, key: id.slice(-8), ...changes };
  // In the first set, which every process has loaded already: a new set would be screened against every receiver.
  await db.pool.query(
    `insert into screening_entry (list, key, from_set, hash, entry)
     select 'ofac-sdn', $1, min(id), $2, $3 from screening_set`,
    [entry.key, id, entry],
  );
  const explanation: HitExplanation = {
    subject: { name: "Ada Lovelace", dob: "1990-12-10", country: "AUS" },
    listed_name: entry.names[0]?.text ?? "",
    is_weak: false,
    words: [
      { left: "lovelace", right: "lovelace", how: "same", weight: 0.6 },
      { left: "ada", right: "ada", how: "same", weight: 0.3 },
      { left: "", right: "augusta", how: "missing", weight: 0.1 },
    ],
    dob: { says: "other", listed: entry.birthDates },
    country: { says: "other", listed: entry.countries },
  };
  const of = { list: "ofac-sdn", key: entry.key, score: 0.93, explanation };
  return insertHit(db, receiver, { id, openedAtMs, ...of });
}
