// The columns that every table of statement lines has.

import { Stack, Text } from "@mantine/core";
import type { BankLine } from "@server/doors/console/statements/schema.ts";
import { Money } from "../parts/money.tsx";
import type { Column } from "../parts/page-table.tsx";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";

/** What a line is about, in one line. */
export function lineText({ party, reference, bank_text, code }: BankLine): string {
  const words = [party, reference, bank_text].filter((text) => text !== "");
  return words.length === 0 ? code || statementsTexts.line : words.join(" · ");
}

export const lineColumns: Column<BankLine>[] = [
  {
    key: "about",
    title: "About",
    isLink: true,
    cell: (row) => (
      <Stack gap={0}>
        <span>{lineText(row)}</span>
        {row.account && (
          <Text span size="xs" c="dimmed">
            {row.account}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: "day", title: statementsTexts.day, cell: ({ day }) => calendarDayText(day) },
  {
    key: "amount",
    title: statementsTexts.amount,
    align: "right",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];
