// What the check of a file found: its problems, or its totals, which the person types back to start.

import { Alert, Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import type { FileCheck } from "@server/console/imports/schema.ts";
import { type FormEvent, useState } from "react";
import { Money } from "../parts/money.tsx";
import { Panel } from "../parts/panel.tsx";
import { moneyHint, moneyText, readMoney, type Sum } from "../state/money.ts";
import styles from "./import.module.css";

export type AgreedTotal = { currency: string; amount: number };

export function CheckedFile({
  name,
  check,
  isStarting,
  onStart,
  onAgain,
}: {
  name: string;
  check: FileCheck;
  isStarting: boolean;
  onStart: (totals: AgreedTotal[]) => void;
  onAgain: () => void;
}) {
  const rows = `${check.rows.toLocaleString("en")} ${check.rows === 1 ? "row" : "rows"}`;
  if (check.problem_count > 0) {
    return (
      <Panel
        title={`${name}: ${rows}, ${check.problem_count.toLocaleString("en")} problems`}
        actions={
          <Button variant="default" onClick={onAgain}>
            Choose another file
          </Button>
        }
        flush
      >
        <Problems check={check} />
      </Panel>
    );
  }
  return (
    <Panel title={`${name}: ${rows} ready`}>
      <Release check={check} isStarting={isStarting} onStart={onStart} onAgain={onAgain} />
    </Panel>
  );
}

function Problems({ check: { problems, problem_count } }: { check: FileCheck }) {
  return (
    <>
      <Text size="sm" p="md" pb={0}>
        No payouts were created. Fix these rows and upload the file again.
      </Text>
      {/* What scrolls must be reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={styles.problems} aria-label="Problems" tabIndex={0}>
        <Table fz={13} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Row</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Problem</Table.Th>
              <Table.Th>Code</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ row, column, code, message }) => (
              <Table.Tr key={`${row} ${column} ${code}`}>
                <Table.Td ta="right">{row}</Table.Td>
                <Table.Td>{column || "–"}</Table.Td>
                <Table.Td>{message}</Table.Td>
                <Table.Td>{code || "–"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {problem_count > problems.length && (
        <Text size="sm" c="dimmed" p="md">
          The first {problems.length.toLocaleString("en")} of {problem_count.toLocaleString("en")}.
        </Text>
      )}
    </>
  );
}

function Release({
  check,
  isStarting,
  onStart,
  onAgain,
}: Omit<Parameters<typeof CheckedFile>[0], "name">) {
  const due = check.totals.filter(({ payouts }) => payouts > 0);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const agreed = due.flatMap(({ currency, amount }) => {
    const read = readMoney(typed[currency] ?? "", currency);
    return read !== undefined && read === amount ? [{ currency, amount: read }] : [];
  });
  const isAgreed = agreed.length === due.length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isAgreed) onStart(agreed);
  };
  const payouts = due.reduce((sum, total) => sum + total.payouts, 0);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Totals check={check} />
        {check.remarks.map((remark) => (
          <Alert key={remark} color="yellow" variant="light">
            {remark}
          </Alert>
        ))}
        {due.map(({ currency, amount }) => (
          <TextInput
            key={currency}
            label={`Type the total of ${currency}`}
            description="From your own books, to be sure that this is the file you mean"
            placeholder="0.00"
            inputMode="decimal"
            maw={320}
            autoComplete="off"
            value={typed[currency] ?? ""}
            error={typedError(typed[currency] ?? "", { currency, amount })}
            onChange={(event) => setTyped({ ...typed, [currency]: event.currentTarget.value })}
          />
        ))}
        <Group justify="space-between">
          <Button variant="default" onClick={onAgain} disabled={isStarting}>
            Choose another file
          </Button>
          <Button type="submit" disabled={!isAgreed} loading={isStarting}>
            {payouts === 0
              ? "No new payouts in this file"
              : `Release ${payouts.toLocaleString("en")} ${payouts === 1 ? "payout" : "payouts"}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Said as soon as as much is typed as the total has figures: before that it may still become right. */
function typedError(
  text: string,
  { currency, amount }: { currency: string; amount: Sum },
): string | undefined {
  const total = moneyText(amount, currency).split(" ")[0] ?? "";
  if (text.replaceAll(",", "").length < total.replaceAll(",", "").length) return undefined;
  const read = readMoney(text, currency);
  if (read === undefined) return moneyHint(currency);
  return read === amount ? undefined : "This is not the total of the file";
}

function Totals({ check: { totals } }: { check: FileCheck }) {
  return (
    // What scrolls must be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles.totals} aria-label="Totals" tabIndex={0}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Currency</Table.Th>
            <Table.Th ta="right">Payouts</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
            <Table.Th ta="right">Available</Table.Th>
            <Table.Th ta="right">Missing</Table.Th>
            <Table.Th ta="right">Imported before</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map(({ currency, payouts, amount, available, short, imported_before }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              <Table.Td ta="right">{payouts.toLocaleString("en")}</Table.Td>
              <Table.Td ta="right">
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={available} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                {Number(short) > 0 ? <Money amount={short} currency={currency} /> : "–"}
              </Table.Td>
              <Table.Td ta="right">{imported_before.toLocaleString("en")}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
