// Decisions about statement lines: what each moves, and how it is applied.

import type { Tx } from "../../platform/db/index.ts";
import { type BankDecision, summaryOf } from "../requests/index.ts";
import {
  decideRepetition,
  factsOfLines,
  giveLinesToCompany,
  type LineDecision,
  type MatchTargets,
  matchLines,
  undoLine,
} from "./decide.ts";

type LineAct =
  | ({ act: "match" } & MatchTargets)
  | { act: "company" }
  | { act: "repetition"; isRepeated: boolean }
  | { act: "undo" };

export type LinesInput = {
  /** One at least. */
  lineIds: readonly string[];
  reason: string;
  decision: LineAct;
};

export const lineDecisions: BankDecision<LinesInput> = {
  kind: "statement_line",
  async factsOf(tx, { lineIds, decision: { act } }) {
    const facts = await factsOfLines(tx, lineIds, act);
    const { connectionId, mode, currency, amount, subaccountId, state } = facts;
    return {
      connectionId,
      objectId: lineIds[0] as string,
      mode,
      state,
      needs: amount === 0n ? "nothing" : { currency, amount, subaccountId },
      summary: summaryOf(act, { subaccountId, currency, amount, count: lineIds.length }),
    };
  },
  async apply(tx, { lineIds, reason, decision }, by) {
    await run(tx, { lineIds, reason, ...by }, decision);
    const { act, ...targets } = decision;
    return {
      action: `statement-line.${act}`,
      object: { kind: "bank_statement_line", id: lineIds[0] as string },
      after: { reason, lines: lineIds, ...targets },
    };
  },
};

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
