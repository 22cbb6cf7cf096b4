// A decision about live money at a bank: one user may make small ones alone, the others wait for a second user. A command
// needs none.

import Type from "typebox";
import { isMoneySpent } from "../../money/ledger/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { ActParts } from "../../tenants/acts/index.ts";
import { type Actor, type AuditNote, audited } from "../../tenants/audit/index.ts";
import type { BankRequestKind, BankRequestSummary } from "./queries.ts";
import { type DecidedMoney, mayDecideAlone, storeBankRequest } from "./request.ts";

/** What a decision is about, under the lock of its connection, before it is applied. */
export type BankDecisionFacts = {
  connectionId: string;
  objectId: string;
  mode: Mode;
  /** Another one where anything else was decided meanwhile. */
  state: string;
  /** The money that it moves, or whether it needs a second user in any case. */
  needs: "nothing" | "second user" | DecidedMoney;
  summary: BankRequestSummary;
};

export type BankDecision<Input> = {
  kind: Exclude<BankRequestKind, "file">;
  factsOf(tx: Tx, input: Input): Promise<BankDecisionFacts>;
  /** Returns the entry of the audit log. */
  apply(tx: Tx, input: Input, by: { who: string; atMs: number }): Promise<AuditNote>;
};

/** The field of acts that decide about money at a bank. */
export const decisionReason = required(
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: line,
    description: "why; it is kept in the audit log",
  }),
);

/** The summary of an act on one object, and the sum that it moves. */
export const summaryOf = (
  act: string,
  sum: { subaccountId?: string | undefined; currency: string; amount: bigint; count: number },
): BankRequestSummary => ({
  name: "",
  act,
  counts: null,
  sums: [
    {
      kind: act,
      subaccount_id: sum.subaccountId ?? "",
      currency: sum.currency,
      count: sum.count,
      amount: sum.amount.toString(),
    },
  ],
  changes: [],
});

/** As it is stored. */
export type StoredDecision<Input> = { input: Input; state: string };

class NeedsSecondUser extends Error {
  readonly facts: BankDecisionFacts;
  constructor(facts: BankDecisionFacts) {
    super("a second user has to confirm it");
    this.facts = facts;
  }
}

/** Returns the id of the request, if a second user has to confirm it. Undefined: it is done. */
export async function decideOrRequest<Input>(
  { db, seal, clock }: ActParts,
  actor: Actor,
  decision: BankDecision<Input>,
  input: Input,
): Promise<string | undefined> {
  const by = { who: actor.who, atMs: clock() };
  const audit = audited({ db, seal }, actor);
  const facts = await audit
    .transaction<AuditNote>(
      (note) => note,
      async (tx) => {
        const found = await decision.factsOf(tx, input);
        // Applied first, so that what can't be done is refused at once. Then it is rolled back.
        const note = await decision.apply(tx, input, by);
        if (!(await isAlone(tx, actor, found, by.atMs))) throw new NeedsSecondUser(found);
        return note;
      },
    )
    .then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof NeedsSecondUser) return error.facts;
        throw isMoneySpent(error) ? new Refusal("BANK420") : error;
      },
    );
  if (!facts) return undefined;
  const { connectionId, objectId, state, summary } = facts;
  const { kind } = decision;
  const stored: StoredDecision<Input> = { input, state };
  return audit.transaction<string>(
    (id) => ({ action: "bank-request.ask", ...noteOf(id, { kind, summary }) }),
    (tx) =>
      storeBankRequest(
        { tx, seal },
        { kind, connectionId, objectId, summary, input: stored, ...by },
      ),
  );
}

async function isAlone(
  tx: Tx,
  { kind }: Actor,
  { mode, needs }: BankDecisionFacts,
  atMs: number,
): Promise<boolean> {
  if (kind === "command" || mode !== "live" || needs === "nothing") return true;
  return needs !== "second user" && mayDecideAlone(tx, needs, atMs);
}

/** The object and the content of an audit entry about a request. */
export function noteOf(
  id: string,
  { kind, summary }: { kind: BankRequestKind; summary: BankRequestSummary },
) {
  const { name, act, sums, changes } = summary;
  return {
    object: { kind: "bank_request", id },
    after: { kind, act, ...(name && { name }), sums, ...(changes.length > 0 && { changes }) },
  };
}
