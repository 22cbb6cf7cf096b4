// What a user decides about a statement line: match it, give it to the company, or undo. Each needs a reason.

import { Text } from "@mantine/core";
import type { BankLineDetail, MatchOption } from "@server/doors/console/statements/schema.ts";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { BankDecision } from "../parts/bank-decision.tsx";
import { moneyText } from "../state/money.ts";
import { MatchPicker } from "./match-picker.tsx";

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

function MatchLine({ line }: Line) {
  const [chosen, setChosen] = useState<MatchOption[]>([]);
  const { id, amount, currency } = line;
  const idsOf = (kind: string) => chosen.filter((one) => one.kind === kind).map((one) => one.id);
  const sumOf = (ofLines: boolean) =>
    chosen
      .filter(({ kind }) => (kind === "line") === ofLines)
      .reduce((sum, one) => sum + BigInt(one.amount), 0n);
  const paid = sumOf(true) - BigInt(amount);
  const bodyOf = () => {
    if (sumOf(false) === paid) {
      return {
        line_ids: [id, ...idsOf("line")],
        payout_ids: idsOf("payout"),
        batch_ids: idsOf("batch"),
      };
    }
    throw new ApiProblem(400, `Choose what comes to ${moneyText(String(paid), currency)}.`, []);
  };
  return (
    <BankDecision
      path="/reconcile/lines/match"
      label="Match"
      title="Match statement line"
      text="Choose the payouts or bank files that it paid. Together they have to come to the amount of the line, and of other lines of the same match."
      bodyOf={bodyOf}
    >
      <MatchPicker
        path={`/reconcile/lines/${id}/options`}
        currency={currency}
        chosen={chosen}
        onChange={setChosen}
      />
      <Text size="xs" c="dimmed" role="status">
        {`Chosen: ${moneyText(String(sumOf(false)), currency)} of ${moneyText(String(paid), currency)}`}
      </Text>
    </BankDecision>
  );
}
