// The books against the bank: both figures, what is in transit, their difference, and whether the month can be closed.

import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { Status } from "../parts/status.tsx";
import { moneyText } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";
import type { BankPositionDetail } from "./position.ts";

type Position = { position: BankPositionDetail };

/** In two columns: what is in transit makes the bank's balance that of the books, but for the difference. */
export function PositionFigures({ position }: Position) {
  const { id, name, currency, books, bank, to_day, in_transit, items, unexplained } = position;
  const money = (amount: typeof books) => <Money amount={amount} currency={currency} />;
  const transit = items === 1 ? "In transit, 1 item" : `In transit, ${items} items`;
  return (
    <PlotTable
      caption={`Books and bank of ${name}`}
      isWhole
      heads={[
        "Money",
        statementsTexts.books,
        to_day === null ? statementsTexts.bank : `Bank, to ${calendarDayText(to_day)}`,
      ]}
      rows={[
        {
          key: "balance",
          head: "Balance",
          cells: [money(books), bank === null ? statementsTexts.noStatement : money(bank)],
        },
        {
          key: "transit",
          head:
            items === 0 ? (
              "In transit"
            ) : (
              <PageLink to={`/reconcile/banks/${id}?tab=transit`}>{transit}</PageLink>
            ),
          cells: ["", money(in_transit)],
        },
        {
          key: "difference",
          head: <strong>{statementsTexts.difference}</strong>,
          cells: ["", <strong key="amount">{bank === null ? "–" : money(unexplained)}</strong>],
        },
      ]}
    />
  );
}

export function ClosingState({ position }: Position) {
  const { closing, state, overdue } = position;
  if (!closing) return null;
  const { month, why_not } = closing;
  return (
    <Stack gap={6} align="flex-start">
      <Status of="position" value={state} />
      {overdue.map(({ item, amount, currency, day, text }) => (
        <Text key={item} size="sm">
          {`Overdue: no statement shows ${moneyText(amount, currency)} of ${calendarDayText(day)} (${text}).`}
        </Text>
      ))}
      {why_not ? (
        <Text size="sm">
          <strong>{`${monthText(month)} can't be closed yet.`}</strong> {why_not.message}.{" "}
          {why_not.cure}{" "}
          <Text span size="xs" c="dimmed">
            {why_not.code}
          </Text>
        </Text>
      ) : (
        <Text size="sm">{`${monthText(month)} can be closed.`}</Text>
      )}
    </Stack>
  );
}

export function PositionActions({ position }: Position) {
  const client = useQueryClient();
  const mayClose = useMay("months.close");
  const { id, name, closing } = position;
  if (!mayClose || closing === null || closing.why_not !== null) return null;
  return (
    <Act
      label="Close month"
      confirm={{
        title: `Close ${monthText(closing.month)} of ${name}?`,
        text: "The books, the bank's balance and the items in transit are kept as a document. A closed month, and months before it, stay as they are.",
      }}
      done={`${monthText(closing.month)} is closed`}
      onAct={async () => {
        await send("POST", `/reconcile/banks/${id}/close`, { month: closing.month });
        await client.invalidateQueries({ queryKey: ["banks"] });
      }}
    />
  );
}
