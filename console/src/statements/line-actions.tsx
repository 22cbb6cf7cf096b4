// What a user decides about a statement line: match it, give it to the company, or undo. Each needs a reason.

import { Textarea } from "@mantine/core";
import type { BankLineDetail } from "@server/doors/console/statements/schema.ts";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { BankDecision } from "../parts/bank-decision.tsx";
import { moneyText } from "../state/money.ts";

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
          label="Give to company"
          title="The line is the company's own money"
          text={`${moneyText(amount, currency)} become the company's own money in the books: a bank charge, or money that it put in or took out.`}
          bodyOf={() => ({ line_ids: [id] })}
        />
      )}
      {status === "doubtful" &&
        ([true, false] as const).map((is_repeated) => (
          <BankDecision
            key={String(is_repeated)}
            path="/reconcile/lines/repetition"
            label={is_repeated ? "Repeats another line" : "Is new"}
            text={
              is_repeated
                ? "The money is in the books already. The line stays out of them."
                : "The bank moved the money once more. A debit is open, and a credit waits in suspense until you say whose it is."
            }
            bodyOf={() => ({ line_ids: [id], is_repeated })}
          />
        ))}
      {((status === "matched" && !isReturn) || status === "repeated") && (
        <BankDecision
          path={`/reconcile/lines/${id}/undo`}
          label="Undo"
          title="Undo the match"
          text="All that was matched together is open again, by a new entry. A credit that funded a subaccount goes to suspense. A line that repeats another is in doubt again."
        />
      )}
    </>
  );
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readIds(text: string): string[] {
  const ids = text.split(/[\s,]+/).filter((one) => one !== "");
  if (ids.every((id) => idPattern.test(id))) return ids;
  throw new ApiProblem(
    400,
    "Enter IDs as they are shown on the pages of lines, payouts and bank files.",
    [],
  );
}

function MatchLine({ line }: Line) {
  const [typed, setTyped] = useState({ lines: "", payouts: "", batches: "" });
  const field = (name: keyof typeof typed, label: string) => (
    <Textarea
      label={label}
      description="IDs, separated by spaces or lines. Empty: none."
      autosize
      minRows={1}
      value={typed[name]}
      onChange={({ currentTarget: { value } }) => setTyped((all) => ({ ...all, [name]: value }))}
    />
  );
  return (
    <BankDecision
      path="/reconcile/lines/match"
      label="Match"
      title="Match statement lines"
      text="These lines paid these payouts and bank files. Together the lines have to come to the same amount as what they paid."
      bodyOf={() => ({
        line_ids: [line.id, ...readIds(typed.lines)],
        payout_ids: readIds(typed.payouts),
        batch_ids: readIds(typed.batches),
      })}
    >
      {field("payouts", "Payouts")}
      {field("batches", "Bank files")}
      {field("lines", "Other lines of the same match")}
    </BankDecision>
  );
}
