// The books against the bank: both figures, their difference, what explains it, and whether the month can be closed.

import { Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { decideAtBank } from "../parts/decide-at-bank.ts";
import { Facts } from "../parts/facts.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { moneyText } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";
import type { BankPositionDetail } from "./position.ts";
import { isZero, minus } from "./sums.ts";

type Position = { position: BankPositionDetail };

export function PositionFigures({ position }: Position) {
  const { id, currency, books, bank, to_day, in_transit, items, unexplained } = position;
  const money = (amount: typeof books) => <Money amount={amount} currency={currency} />;
  const page = `/reconcile/banks/${id}`;
  return (
    <Facts
      items={[
        { label: statementsTexts.books, value: money(books) },
        {
          label: to_day === null ? statementsTexts.bank : `Bank, to ${calendarDayText(to_day)}`,
          value: bank === null ? statementsTexts.noStatement : money(bank),
        },
        {
          label: "Difference",
          value: bank !== null && (
            <span>
              {money(minus(books, bank))}
              {items > 0 && (
                <>
                  {" · "}
                  <PageLink to={`${page}?tab=transit`}>
                    {items === 1
                      ? "explained by 1 item in transit"
                      : `explained by ${items} items in transit`}
                  </PageLink>
                  {isZero(minus(in_transit, minus(books, bank))) ? null : (
                    <> ({money(in_transit)})</>
                  )}
                </>
              )}
            </span>
          ),
        },
        !isZero(unexplained) && { label: "Unexplained", value: money(unexplained) },
      ]}
    />
  );
}

export function ClosingState({ position }: Position) {
  const { closing, state, overdue } = position;
  if (!closing) {
    return (
      <Text size="sm" c="dimmed">
        No statements yet. Apply the first one.
      </Text>
    );
  }
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
  const mayDecide = useMay("banks.release");
  const { id, name, currency, opening, opening_waits, closing } = position;
  const renew = () => client.invalidateQueries({ queryKey: ["banks"] });
  const canClose = closing !== null && closing.why_not === null;
  const month = closing ? monthText(closing.month) : "";
  return (
    <Group gap="xs">
      {opening_waits && (
        <Text size="sm">
          The opening balance waits for a second user. <ApprovalsLink kind="bank_request" />
        </Text>
      )}
      {mayDecide && opening !== null && !opening_waits && (
        <Act
          label="Take opening balance"
          confirm={{
            title: "Take the opening balance into the books?",
            text: `${moneyText(opening, currency)} were at the bank before the first statement. They become the company's own money in the books.`,
          }}
          onAct={async () => {
            const path = `/reconcile/banks/${id}/opening`;
            await decideAtBank(path, undefined, "Opening balance taken into the books");
            await renew();
          }}
        />
      )}
      {mayClose && canClose && (
        <Act
          label="Close month"
          confirm={{
            title: `Close ${month} of ${name}?`,
            text: "The books, the bank's balance and the items in transit are kept as a document. A closed month, and months before it, stay as they are.",
          }}
          done={`${month} is closed`}
          onAct={async () => {
            await send("POST", `/reconcile/banks/${id}/close`, { month: closing.month });
            await renew();
          }}
        />
      )}
    </Group>
  );
}
