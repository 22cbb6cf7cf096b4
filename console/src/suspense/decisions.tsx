// What a user decides about a suspense item: match it, give its money to a subaccount or to the company, split, return,
// close, undo. Each needs a reason.

import { Text, Textarea } from "@mantine/core";
import type { MatchOption } from "@server/doors/console/statements/schema.ts";
import type { SuspenseDetail } from "@server/doors/console/suspense/schema.ts";
import { type ComponentProps, useId, useState } from "react";
import { useMay } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { BankDecision } from "../parts/bank-decision.tsx";
import { SubaccountField } from "../parts/subaccount-field.tsx";
import { moneyHint, moneyText, readMoney } from "../state/money.ts";
import { MatchPicker } from "../statements/match-picker.tsx";
import { suspenseTexts } from "../texts/suspense.ts";

const partsSum = (sum: string, rest: string) =>
  rest === "" ? `Sum: ${sum}.` : `Sum: ${sum}. Difference: ${rest}.`;

type Item = { item: SuspenseDetail };

export function SuspenseActions({ item }: Item) {
  const mayDecide = useMay("banks.release");
  if (!mayDecide) return null;
  const { status, is_booked, amount, currency, acts } = item;
  const isOpen = status === "open";
  const total = amount === null ? "" : moneyText(amount, currency);
  const canUndo = acts.length > 0 && acts.at(-1)?.act !== "undo" && status !== "merged";
  return (
    <>
      {isOpen && <MatchOther item={item} />}
      {isOpen && is_booked && <Fund item={item} total={total} />}
      {isOpen && is_booked && (
        <Decision
          item={item}
          act="company"
          label="Give to company"
          text={`${total} leave suspense and become the company's own money in the books.`}
        />
      )}
      {isOpen && is_booked && <Split item={item} total={total} />}
      {isOpen && is_booked && (
        <Decision
          item={item}
          act="return"
          label="Return money"
          text={`${total} leave suspense, because the money goes back to the bank. Order that at the bank: this page doesn't.`}
        />
      )}
      {isOpen && !is_booked && (
        <Decision
          item={item}
          act="close"
          label="Close"
          text="It holds no money and needs nothing."
        />
      )}
      {canUndo && (
        <Decision
          item={item}
          act="undo"
          label="Undo"
          text="The last decision is taken back, by a new entry."
        />
      )}
    </>
  );
}

export function MatchButton({
  item,
  candidate,
}: Item & { candidate: SuspenseDetail["candidates"][number] }) {
  return (
    <Decision
      item={item}
      act="match"
      label={suspenseTexts.match}
      title="Match to this payout"
      text={`The bank's report is applied to the payout of ${moneyText(candidate.amount, candidate.currency)}.`}
      bodyOf={() => ({ payout_id: candidate.payout_id })}
      isSmall
    />
  );
}

export function FundButton({
  item,
  subaccount,
}: Item & { subaccount: SuspenseDetail["subaccounts"][number] }) {
  const { amount, currency } = item;
  const total = amount === null ? "" : moneyText(amount, currency);
  return (
    <Decision
      item={item}
      act="fund"
      label={`Give to ${subaccount.name}`}
      title={suspenseTexts.fundTitle}
      text={suspenseTexts.fundText(total)}
      bodyOf={() => ({ subaccount_id: subaccount.id })}
      isSmall
    />
  );
}

function MatchOther({ item }: Item) {
  const [chosen, setChosen] = useState<MatchOption[]>([]);
  const bodyOf = () => {
    const [payout] = chosen;
    if (!payout) throw new ApiProblem(400, "Choose a payout.", []);
    return { payout_id: payout.id };
  };
  return (
    <Decision item={item} act="match" label="Match to another payout" text="" bodyOf={bodyOf}>
      <MatchPicker
        path={`/banks/suspense/${item.id}/options`}
        currency={item.currency}
        chosen={chosen}
        onChange={setChosen}
        max={1}
      />
    </Decision>
  );
}

function Fund({ item, total }: Item & { total: string }) {
  const [subaccountId, setSubaccountId] = useState<string | null>(null);
  const bodyOf = () => {
    if (subaccountId === null) throw new ApiProblem(400, "Choose a subaccount.", []);
    return { subaccount_id: subaccountId };
  };
  return (
    <Decision
      item={item}
      act="fund"
      label={suspenseTexts.fund}
      title={suspenseTexts.fundTitle}
      text={suspenseTexts.fundText(total)}
      bodyOf={bodyOf}
    >
      <SubaccountField
        label={suspenseTexts.subaccount}
        placeholder="Find by name or ID"
        fits={({ id, mode }) => mode === item.mode && (item.subaccount_ids?.includes(id) ?? true)}
        value={subaccountId}
        onChange={setSubaccountId}
      />
    </Decision>
  );
}

function Split({ item, total }: Item & { total: string }) {
  const [typed, setTyped] = useState("");
  const id = useId();
  const lines = typed.split("\n").filter((line) => line.trim() !== "");
  const amounts = lines.map((line) => readMoney(line, item.currency));
  const sum = amounts.reduce<number>((all, amount) => all + (amount ?? Number.NaN), 0);
  const isRight = amounts.length >= 2 && sum === Number(item.amount);
  const bodyOf = () => {
    if (!isRight)
      throw new ApiProblem(400, `Enter at least two amounts that add up to ${total}.`, []);
    return { amounts };
  };
  return (
    <Decision
      item={item}
      act="split"
      label="Split"
      title="Split item"
      text={`Each part is decided on its own. The parts have to add up to ${total}.`}
      bodyOf={bodyOf}
    >
      <Textarea
        label="Amounts, one per line"
        required
        autosize
        minRows={2}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        aria-details={id}
      />
      <ReadParts id={id} lines={lines} amounts={amounts} item={item} />
    </Decision>
  );
}

/** The parts as they were read, and what is missing. */
function ReadParts({
  id,
  lines,
  amounts,
  item: { amount, currency },
}: Item & { id: string; lines: readonly string[]; amounts: readonly (number | undefined)[] }) {
  const sum = amounts.reduce<number>((all, part) => all + (part ?? 0), 0);
  const rest = Number(amount) - sum;
  return (
    <Text id={id} size="xs" c="dimmed" role="status" component="div">
      {amounts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number only
        <div key={index}>
          {part === undefined
            ? `“${lines[index]?.trim() ?? ""}”: ${moneyHint(currency)}`
            : moneyText(part, currency)}
        </div>
      ))}
      {amounts.length > 0 && (
        <div>{partsSum(moneyText(sum, currency), rest === 0 ? "" : moneyText(rest, currency))}</div>
      )}
    </Text>
  );
}

function Decision({
  item,
  act,
  ...props
}: Item & { act: string } & Omit<ComponentProps<typeof BankDecision>, "path">) {
  return <BankDecision path={`/banks/suspense/${item.id}/${act}`} {...props} />;
}
