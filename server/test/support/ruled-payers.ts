// A subaccount whose payouts rules decide on, for tests.

import type { DisburseError } from "../../../client/src/index.ts";
import { releasePayout } from "../../src/money/payouts/hold.ts";
import { listHolds } from "../../src/money/payouts/hold-queries.ts";
import { listRuleMatches } from "../../src/money/payouts/rule-match-queries.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { ConsoleService, TestPerson } from "./console.ts";
import { insertHit } from "./hits.ts";
import { newPayee, type Payee } from "./payers.ts";
import { type RuleParts, ruleOf, switchRules } from "./rules.ts";

/** The bank takes so long that no payout is sent while a test looks at it. */
export const slowBankMs = 3_600_000;
const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: slowBankMs }) }]);

/** With money, two receivers, and rules that are about it alone. */
export async function newRuledPayer(service: ConsoleService) {
  const reviewer = { who: "operator:reviewer" };
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const payees = [
    await newPayee(disburse, "12345999"),
    await newPayee(disburse, "22345999"),
  ] as const;
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: newId() });
  const request = (amount: number, payee: Payee = payees[0]) => ({
    ...payee,
    amount,
    currency: "AUD",
    reference: newId(),
  });
  const key = (id: string) => ({ subaccountId, id });
  return {
    ...caller,
    payees,
    request,
    rules: (...rules: RuleParts[]) =>
      switchRules(
        service.db,
        rules.map((rule, index) =>
          ruleOf({ id: `rule-${index}`, subaccount_ids: [subaccountId], currency: "AUD", ...rule }),
        ),
      ),
    pay: async (amount: number, payee?: Payee) =>
      (await disburse.payouts.create(request(amount, payee))).payout_id,
    /** The stage of a new payout. */
    stage: async (amount: number, payee?: Payee) => {
      const { payout_id } = await disburse.payouts.create(request(amount, payee));
      return (await disburse.payouts.get(payout_id)).stage;
    },
    stageOf: async (id: string) => (await disburse.payouts.get(id)).stage,
    matches: (id: string) => listRuleMatches(service.db, key(id)),
    holds: (id: string) => listHolds(service.db, key(id), 10),
    approve: (id: string, by: TestPerson) => by.post(`/s/${subaccountId}/payouts/${id}/approve`),
    release: (id: string, { who }: { who: string } = reviewer) =>
      service.db.transaction((tx) =>
        releasePayout(tx, key(id), { who, atMs: Date.now(), reason: "fine", rails }),
      ),
    /** Moves all that was counted and created into the past. */
    age: async (ms: number) => {
      const { pool } = service.db;
      await pool.query("update payout_count set at_ms = at_ms - $2 where subaccount_id = $1", [
        subaccountId,
        ms,
      ]);
    },
  };
}

/** The code that the service refuses with; undefined: it does not refuse. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: DisburseError & { problems?: { code: string }[] }) =>
      error.code ?? error.problems?.[0]?.code,
  );
}

/** A screening hit of the receiver. */
export async function openHit(
  { db }: Pick<ConsoleService, "db">,
  { subaccountId }: { subaccountId: string },
  receiverId: string,
) {
  const id = await insertHit(db, { subaccountId, receiverId }, { openedAtMs: 1 });
  return {
    decide: (status: string) =>
      db.pool.query("update screening_hit set status = $2 where id = $1", [id, status]),
  };
}
