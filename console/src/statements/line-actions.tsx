// What a user decides about a statement line: match it, give it to the company, or undo. Each needs a reason.

import { Textarea } from "@mantine/core";
import type { BankLineDetail } from "@server/console/statements/schema.ts";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { BankDecision } from "../parts/bank-decision.tsx";
import { moneyText } from "../state/money.ts";
import { statementsTexts } from "../texts/statements.ts";

type Line = { line: BankLineDetail };

export function LineActions({ line }: Line) {
  const mayDecide = useMay("banks.release");
  if (!mayDecide) return null;
  const { id, status, amount, currency, matches } = line;
  // The bank's report of a return is undone in suspense, if at all.
  const isReturn = matches.some(({ kind, is_undone }) => kind === "return" && !is_undone);
  return (
    <>
      {status === "open" && Number(amount) < 0 && <MatchLine line={line} />}
      {status === "open" && (
        <BankDecision
          path="/reconcile/lines/company"
          label={statementsTexts.giveToCompany}
          title={statementsTexts.companyTitle}
          text={statementsTexts.companyText(moneyText(amount, currency))}
          bodyOf={() => ({ line_ids: [id] })}
        />
      )}
      {status === "doubtful" &&
        ([true, false] as const).map((is_repeated) => (
          <BankDecision
            key={String(is_repeated)}
            path="/reconcile/lines/repetition"
            label={is_repeated ? statementsTexts.repeats : statementsTexts.isNew}
            text={is_repeated ? statementsTexts.repeatsText : statementsTexts.isNewText}
            bodyOf={() => ({ line_ids: [id], is_repeated })}
          />
        ))}
      {((status === "matched" && !isReturn) || status === "repeated") && (
        <BankDecision
          path={`/reconcile/lines/${id}/undo`}
          label={statementsTexts.undo}
          title={statementsTexts.undoTitle}
          text={statementsTexts.undoText}
        />
      )}
    </>
  );
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readIds(text: string): string[] {
  const ids = text.split(/[\s,]+/).filter((one) => one !== "");
  if (ids.every((id) => idPattern.test(id))) return ids;
  throw new ApiProblem(400, statementsTexts.notIds, []);
}

function MatchLine({ line }: Line) {
  const [typed, setTyped] = useState({ lines: "", payouts: "", batches: "" });
  const field = (name: keyof typeof typed, label: string) => (
    <Textarea
      label={label}
      description={statementsTexts.idsHint}
      autosize
      minRows={1}
      value={typed[name]}
      onChange={({ currentTarget: { value } }) => setTyped((all) => ({ ...all, [name]: value }))}
    />
  );
  return (
    <BankDecision
      path="/reconcile/lines/match"
      label={statementsTexts.match}
      title={statementsTexts.matchTitle}
      text={statementsTexts.matchText}
      bodyOf={() => ({
        line_ids: [line.id, ...readIds(typed.lines)],
        payout_ids: readIds(typed.payouts),
        batch_ids: readIds(typed.batches),
      })}
    >
      {field("payouts", statementsTexts.payoutIds)}
      {field("batches", statementsTexts.batchIds)}
      {field("lines", statementsTexts.otherLines)}
    </BankDecision>
  );
}
