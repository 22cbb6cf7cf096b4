// Hits and payouts on hold for the tests of the review queue, written as screening and rules write them.

import { holdPayouts, holdPayoutsOf } from "../../src/money/payouts/hold.ts";
import { lockUnsentPayouts } from "../../src/money/payouts/hold-queries.ts";
import type { HoldReason } from "../../src/money/payouts/hold-reason.ts";
import { insertRuleMatches } from "../../src/money/payouts/rule-match-queries.ts";
import {
  entryHash,
  type ListEntry,
  type ListName,
} from "../../src/people/list-files/list-entry.ts";
import { readSubjects } from "../../src/people/reviews/subject-queries.ts";
import { openHits, type RecordKey } from "../../src/people/screening/record-queries.ts";
import { buildScreeningIndex } from "../../src/people/screening/screening-index.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { type ConsoleService, startConsole, type TestPerson } from "./console.ts";
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
    async openHit(entry: Listed = {}, openedAtMs = Date.now()): Promise<string> {
      const id = await screenEntry(service, receiver, entry, openedAtMs);
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

/** What differs from the usual entry, and its list. */
type Listed = Partial<ListEntry> & { list?: ListName };

const listed: Omit<ListEntry, "key" | "names"> = {
  kind: "person",
  birthDates: ["1989/1991", "1991"],
  countries: ["FRA", "GBR"],
  program: "ENGINE2",
  remarks: "Mathematician. Linked to the analytical engine",
};

/** An entry with the receiver's name and one name more, found and written by screening itself. */
async function screenEntry(
  { db, seal }: ConsoleService,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
  { list = "ofac-sdn", ...changes }: Listed,
  openedAtMs: number,
): Promise<string> {
  const record = { subaccount_id: subaccountId, subject_kind: "receiver", subject_id: receiverId };
  const [subject] = await readSubjects({ db, seal }, subaccountId, [record as RecordKey]);
  if (!subject) throw new Error("the receiver is there");
  const [first = "", last = ""] = subject.names[0]?.text.split(" ") ?? [];
  const names = [
    { text: `${last.toUpperCase()}, ${first} Augusta`, isWeak: false },
    { text: "KING, Countess", isWeak: true },
  ];
  const entry: ListEntry = { ...listed, names, key: newId().slice(-8), ...changes };
  const stored = { ...entry, list, hash: entryHash(entry) };
  // In the first set, which every process has loaded already: a new set would be screened against every receiver.
  await db.pool.query(
    `insert into screening_entry (list, key, from_set, hash, entry)
     select $1, $2, min(id), $3, $4 from screening_set`,
    [stored.list, entry.key, stored.hash, entry],
  );
  const [hits = []] = (await buildScreeningIndex([stored])).screen([subject]);
  const [opened] = await db.transaction((tx) =>
    openHits(tx, [{ subject, setId: 1, hits }], openedAtMs),
  );
  if (!opened) throw new Error("the receiver has the name of the entry");
  return opened.id;
}
