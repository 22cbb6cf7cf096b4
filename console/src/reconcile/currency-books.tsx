// The ledger of one currency: from opening to closing balance, whether it balances, and the days.

import { Group, Stack, Tabs, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { Money } from "../parts/money.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { moneyText } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { whoText } from "../state/who.ts";
import { reconcileTexts } from "../texts/reconcile.ts";
import { DaysTable } from "./days-table.tsx";
import { Exceptions } from "./exceptions.tsx";
import styles from "./reconcile.module.css";
import type { ReconciledBalance } from "./reconciliation.ts";

type BooksProps = { books: ReconciledBalance; month: string };

export function CurrencyBooks({ books, month }: BooksProps) {
  const apiOf = useApiOf();
  const { currency } = books;
  return (
    <Panel
      title={`${currency}, ${monthText(month)}`}
      actions={
        <>
          <ExportButton
            path={apiOf("/statement.csv")}
            query={{ month, currency }}
            label="Statement (CSV)"
          />
          <ExportButton
            path={apiOf("/statement.pdf")}
            query={{ month, currency }}
            label="Statement (PDF)"
          />
          <ExportButton
            path={apiOf("/reconcile.csv")}
            query={{ month, currency }}
            label="Journal"
          />
          <CloseMonth books={books} month={month} />
        </>
      }
    >
      <Stack gap="md">
        <Sum books={books} />
        <Agreement books={books} />
        <Tabs defaultValue="days">
          <Tabs.List>
            <Tabs.Tab value="days">By day</Tabs.Tab>
            <Tabs.Tab value="exceptions">In transit</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="days" pt="sm">
            <DaysTable books={books} />
          </Tabs.Panel>
          <Tabs.Panel value="exceptions" pt="sm">
            <Exceptions books={books} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Panel>
  );
}

function Sum({ books }: { books: ReconciledBalance }) {
  const { currency, opening, funded, paid, returned, fees, reversed, closing } = books;
  const parts = [
    { name: "Opening", sign: "", amount: opening, hint: "", isEdge: true },
    { name: reconcileTexts.inLabel, sign: "+", amount: funded, hint: "Incoming funds" },
    { name: reconcileTexts.out, sign: "−", amount: paid, hint: "Successful payouts" },
    {
      name: reconcileTexts.returned,
      sign: "+",
      amount: returned,
      hint: "Payouts returned by the bank",
    },
    { name: reconcileTexts.fees, sign: "−", amount: fees, hint: "" },
    {
      name: reconcileTexts.reversed,
      sign: "−",
      amount: reversed,
      hint: "Reversed funding",
    },
    { name: reconcileTexts.closing, sign: "=", amount: closing, hint: "", isEdge: true },
  ];
  return (
    <dl className={styles.sum}>
      {parts.map(({ name, sign, amount, hint, isEdge }) => (
        <div key={name} data-edge={isEdge}>
          <dt title={hint || undefined}>{name}</dt>
          <dd>
            {sign && <span className={styles.sign}>{sign}</span>}
            <Money amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const compared: Record<string, string> = {
  transfers: "the closing balance and the transfers of the month",
  running: "the running balance of the last transfer and the sum of all transfers",
  balance: "the current balance and the sum of all transfers",
  payouts: "the held and in-transit balance and the pending payouts",
  closed: "the current closing balance and the one the month was closed with",
};

function Agreement({ books }: { books: ReconciledBalance }) {
  const { currency, drift, differences, behind, available, held, clearing, closed } = books;
  return (
    <Stack gap={6}>
      <Group gap="sm">
        {behind > 0 ? (
          <Status of="books" value="adding" />
        ) : (
          <Status of="books" value={drift === 0 ? "agree" : "differ"} />
        )}
        <Text size="sm">
          Difference <Money amount={drift} currency={currency} />
        </Text>
        <Text size="sm" c="dimmed">
          {`Closing balance: ${moneyText(available, currency)} available, ${moneyText(held, currency)} held, ${moneyText(clearing, currency)} in transit`}
        </Text>
      </Group>
      {differences.map(({ what, amount }) => (
        <Text key={what} size="sm" c="red">
          {`Difference of ${moneyText(amount, currency)} between ${compared[what] ?? ""}`}
        </Text>
      ))}
      {closed && (
        <Group gap="xs">
          <Status of="books" value="closed" />
          <Text size="sm">
            by {whoText(closed.by)}, <When ms={closed.at} />
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function CloseMonth({ books, month }: BooksProps) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const { currency, closing } = books;
  if (!useMay("months.close") || !books.is_closable) return null;
  return (
    <Act
      label={reconcileTexts.closeMonth}
      confirm={{
        title: `Close ${monthText(month)} in ${currency}?`,
        text: `Closing balance: ${moneyText(closing, currency)}. These figures are locked. The verification of the ledger reports any later change.`,
        label: reconcileTexts.closeMonth,
      }}
      done={`${monthText(month)} is closed in ${currency}`}
      onAct={async () => {
        await send("POST", apiOf("/reconcile/close"), { month, currency });
        await client.invalidateQueries({ queryKey: [id, "payouts", "reconcile"] });
      }}
    />
  );
}
