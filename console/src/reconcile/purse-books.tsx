// The books of one currency: the sum that leads from the opening to the closing balance, whether all agree, and the days.

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
import { BankMatch } from "./bank-match.tsx";
import { DaysTable } from "./days-table.tsx";
import { Exceptions } from "./exceptions.tsx";
import { monthText } from "./months.ts";
import styles from "./reconcile.module.css";
import type { ReconciledPurse } from "./reconciliation.ts";

type PurseProps = { purse: ReconciledPurse; month: string };

export function PurseBooks({ purse, month }: PurseProps) {
  const apiOf = useApiOf();
  const { currency } = purse;
  return (
    <Panel
      title={`${currency}, ${monthText(month)}`}
      actions={
        <>
          <ExportButton
            path={apiOf("/reconcile.csv")}
            query={{ month, currency }}
            label="Statement"
          />
          <CloseMonth purse={purse} month={month} />
        </>
      }
    >
      <Stack gap="md">
        <Sum purse={purse} />
        <Agreement purse={purse} />
        <Tabs defaultValue="days">
          <Tabs.List>
            <Tabs.Tab value="days">By day</Tabs.Tab>
            <Tabs.Tab value="exceptions">Under way now</Tabs.Tab>
            <Tabs.Tab value="bank">Match a bank statement</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="days" pt="sm">
            <DaysTable purse={purse} />
          </Tabs.Panel>
          <Tabs.Panel value="exceptions" pt="sm">
            <Exceptions purse={purse} />
          </Tabs.Panel>
          <Tabs.Panel value="bank" pt="sm">
            <BankMatch currency={currency} month={month} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Panel>
  );
}

function Sum({ purse }: { purse: ReconciledPurse }) {
  const { currency, opening, funded, paid, returned, fees, reversed, closing } = purse;
  const parts = [
    { name: "Opening", sign: "", amount: opening, hint: "" },
    { name: "In", sign: "+", amount: funded, hint: "Money that arrived" },
    { name: "Out", sign: "−", amount: paid, hint: "Payouts that were paid" },
    { name: "Returned", sign: "+", amount: returned, hint: "Payouts that came back" },
    { name: "Fees", sign: "−", amount: fees, hint: "" },
    { name: "Reversed", sign: "−", amount: reversed, hint: "Funding that was a mistake" },
    { name: "Closing", sign: "=", amount: closing, hint: "" },
  ];
  return (
    <dl className={styles.sum}>
      {parts.map(({ name, sign, amount, hint }) => (
        <div key={name} data-edge={name === "Opening" || name === "Closing" || undefined}>
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
  running: "the running balance of the last transfer and what all transfers add up to",
  balance: "the balance now and what all transfers add up to",
  payouts: "what is held and on its way, and the payouts that are under way",
  closed: "the closing balance now and the one that the month was closed with",
};

function Agreement({ purse }: { purse: ReconciledPurse }) {
  const { currency, drift, differences, behind, available, held, clearing, closed } = purse;
  return (
    <Stack gap={6}>
      <Group gap="sm">
        {behind > 0 ? (
          <Status of="books" value="adding" />
        ) : (
          <Status of="books" value={drift === 0 ? "agree" : "differ"} />
        )}
        <Text size="sm">
          Drift <Money amount={drift} currency={currency} />
        </Text>
        <Text size="sm" c="dimmed">
          Closing balance: {moneyText(available, currency)} available, {moneyText(held, currency)}{" "}
          held, {moneyText(clearing, currency)} on its way
        </Text>
      </Group>
      {differences.map(({ what, amount }) => (
        <Text key={what} size="sm" c="red">
          {moneyText(amount, currency)} between {compared[what]}
        </Text>
      ))}
      {closed && (
        <Group gap="xs">
          <Status of="books" value="closed" />
          <Text size="sm">
            by {closed.by.replace(/^operator:/, "")}, <When ms={closed.at} />
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function CloseMonth({ purse, month }: PurseProps) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const { currency, closing } = purse;
  if (!useMay("months.close") || !purse.is_closable) return null;
  return (
    <Act
      label="Close month"
      confirm={{
        title: `Close ${monthText(month)} in ${currency}?`,
        text: `It closes with ${moneyText(closing, currency)}. This is written down for good: the verification of the books says when they no longer give these figures.`,
        label: "Close month",
      }}
      done={`${monthText(month)} is closed in ${currency}`}
      onAct={async () => {
        await send("POST", apiOf("/reconcile/close"), { month, currency });
        await client.invalidateQueries({ queryKey: [id, "payouts", "reconcile"] });
      }}
    />
  );
}
