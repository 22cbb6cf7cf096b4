// The books against the bank: both figures, their difference, what explains it, and whether the month can be closed.

import { Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
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
          label:
            to_day === null
              ? statementsTexts.bank
              : statementsTexts.bankTo(calendarDayText(to_day)),
          value: bank === null ? statementsTexts.noStatement : money(bank),
        },
        {
          label: statementsTexts.difference,
          value: bank !== null && (
            <span>
              {money(minus(books, bank))}
              {items > 0 && (
                <>
                  {" · "}
                  <PageLink to={`${page}?tab=transit`}>
                    {statementsTexts.explainedBy(items)}
                  </PageLink>
                  {isZero(minus(in_transit, minus(books, bank))) ? null : (
                    <> ({money(in_transit)})</>
                  )}
                </>
              )}
            </span>
          ),
        },
        !isZero(unexplained) && { label: statementsTexts.unexplained, value: money(unexplained) },
      ]}
    />
  );
}

export function ClosingState({ position }: Position) {
  const { closing, unexplained, bank } = position;
  if (!closing) {
    return (
      <Text size="sm" c="dimmed">
        {statementsTexts.noStatementsYet}
      </Text>
    );
  }
  const { month, why_not } = closing;
  const isMet = bank !== null && isZero(unexplained);
  return (
    <Stack gap={6} align="flex-start">
      <Status of="books" value={isMet ? "agree" : "differ"} />
      {why_not ? (
        <Text size="sm">
          <strong>{statementsTexts.cannotBeClosed(monthText(month))}</strong> {why_not.message}.{" "}
          {why_not.cure}{" "}
          <Text span size="xs" c="dimmed">
            {why_not.code}
          </Text>
        </Text>
      ) : (
        <Text size="sm">{statementsTexts.canBeClosed(monthText(month))}</Text>
      )}
    </Stack>
  );
}

export function PositionActions({ position }: Position) {
  const client = useQueryClient();
  const mayClose = useMay("months.close");
  const mayDecide = useMay("banks.release");
  const { id, name, currency, opening, closing } = position;
  const renew = () => client.invalidateQueries({ queryKey: ["banks"] });
  const canClose = closing !== null && closing.why_not === null;
  const month = closing ? monthText(closing.month) : "";
  return (
    <Group gap="xs">
      {mayDecide && opening !== null && (
        <Act
          label={statementsTexts.takeOpening}
          confirm={{
            title: statementsTexts.openingTitle,
            text: statementsTexts.openingText(moneyText(opening, currency)),
          }}
          done={statementsTexts.openingTaken}
          onAct={async () => {
            await send("POST", `/reconcile/banks/${id}/opening`);
            await renew();
          }}
        />
      )}
      {mayClose && canClose && (
        <Act
          label={statementsTexts.closeMonth}
          confirm={{
            title: statementsTexts.closeTitle(month, name),
            text: statementsTexts.closeText,
          }}
          done={statementsTexts.closed(month)}
          onAct={async () => {
            await send("POST", `/reconcile/banks/${id}/close`, { month: closing.month });
            await renew();
          }}
        />
      )}
    </Group>
  );
}
