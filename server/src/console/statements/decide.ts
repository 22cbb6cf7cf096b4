// A user decides about statement lines, with a reason: what they paid, that they are the company's own, or undo.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import {
  decideRepetition,
  giveLinesToCompany,
  type LineDecision,
  type MatchTargets,
  matchLines,
  undoLine,
} from "../../banks/statements/decide.ts";
import { isMoneySpent } from "../../banks/suspense.ts";
import type { Tx } from "../../db/connect.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { WriteParts } from "../write-parts.ts";

export type LineAct =
  | ({ act: "match" } & MatchTargets)
  | { act: "company" }
  | { act: "repetition"; isRepeated: boolean }
  | { act: "undo" };

/** All lines or none. */
export async function decideLines(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { lineIds, reason }: { lineIds: readonly [string, ...string[]]; reason: string },
  decision: LineAct,
): Promise<void> {
  const deciding: LineDecision = { lineIds, reason, who: actor.who, atMs: clock() };
  const { act, ...targets } = decision;
  const entry = {
    action: `statement-line.${act}`,
    object: { kind: "bank_statement_line", id: lineIds[0] },
    after: { reason, lines: lineIds, ...targets },
  };
  try {
    await audited({ db, seal }, actor).transaction(entry, (tx) => run(tx, deciding, decision));
  } catch (error) {
    throw isMoneySpent(error) ? new Refusal("BANK420") : error;
  }
}

function run(tx: Tx, deciding: LineDecision, decision: LineAct): Promise<void> {
  switch (decision.act) {
    case "match":
      return matchLines(tx, decision, deciding);
    case "company":
      return giveLinesToCompany(tx, deciding);
    case "repetition":
      return decideRepetition(tx, decision, deciding);
    case "undo":
      return undoLine(tx, deciding.lineIds[0] as string, deciding);
  }
}
