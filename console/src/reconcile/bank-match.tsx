// Compares a bank's CSV file with the statement of the month, line by line. The file stays in the browser.

import { Alert, Button, FileButton, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Check, Minus, Upload } from "lucide-react";
import { addressOf } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { problemOf } from "../api/problem.ts";
import { Money } from "../parts/money.tsx";
import { Problem } from "../parts/problem.tsx";
import { moneyText } from "../state/money.ts";
import {
  type Line,
  type Matched,
  matchLines,
  readBankFile,
  readOurStatement,
} from "./bank-file.ts";
import { dayText } from "./months.ts";
import styles from "./reconcile.module.css";

const shownMax = 200;

export function BankMatch({ currency, month }: { currency: string; month: string }) {
  const apiOf = useApiOf();
  const match = useMutation({
    mutationFn: async (file: File): Promise<Matched | "unreadable"> => {
      const bank = readBankFile(await file.text(), currency);
      if (!bank) return "unreadable";
      const response = await fetch(addressOf(apiOf("/reconcile.csv"), { currency, month }));
      if (!response.ok) throw await problemOf(response);
      return matchLines(bank, readOurStatement(await response.text()));
    },
  });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <FileButton accept=".csv,text/csv" onChange={(file) => file && match.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={match.isPending}
              leftSection={<Upload size={15} aria-hidden />}
            >
              Choose the bank's CSV file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          By reference, amount and date. The file stays in this browser.
        </Text>
      </Group>
      <Problem error={match.error} />
      {match.data === "unreadable" && (
        <Alert color="yellow" title="This does not look like a statement">
          <Text size="sm">
            Its first line must name columns for the date, the amount (or debit and credit) and a
            reference or description.
          </Text>
        </Alert>
      )}
      {match.data && match.data !== "unreadable" && (
        <Compared matched={match.data} currency={currency} />
      )}
    </Stack>
  );
}

function Compared({
  matched: { bank, missing },
  currency,
}: {
  matched: Matched;
  currency: string;
}) {
  const found = bank.filter(({ isMatched }) => isMatched).length;
  // What doesn't fit is what one looks for.
  const lines = [
    ...bank.filter(({ isMatched }) => !isMatched).map((line) => ({ ...line, of: "Bank only" })),
    ...missing.map((line) => ({ ...line, isMatched: false, of: "Books only" })),
    ...bank.filter(({ isMatched }) => isMatched).map((line) => ({ ...line, of: "Both" })),
  ];
  return (
    <>
      <Text size="sm" role="status">
        {found} of {bank.length} lines of the bank match. Only at the bank: {bank.length - found} (
        {moneyText(sum(bank.filter(({ isMatched }) => !isMatched)), currency)}). Only in the books:{" "}
        {missing.length} ({moneyText(sum(missing), currency)}).
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={styles.frame} tabIndex={0} aria-label="Lines compared">
        <Table className={styles.matches ?? ""} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">In</Table.Th>
              <Table.Th scope="col">Day</Table.Th>
              <Table.Th scope="col">Reference</Table.Th>
              <Table.Th scope="col">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.slice(0, shownMax).map((line, place) => {
              const Icon = line.isMatched ? Check : Minus;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a line twice
                <Table.Tr key={place} data-matched={line.isMatched || undefined}>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap">
                      <Icon size={14} aria-hidden /> {line.of}
                    </Group>
                  </Table.Td>
                  <Table.Td>{dayText(line.dayMs)}</Table.Td>
                  <Table.Td>{line.text}</Table.Td>
                  <Table.Td>
                    <Money amount={line.amount} currency={currency} />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </section>
      {lines.length > shownMax && (
        <Text size="xs" c="dimmed">
          The first {shownMax} of {lines.length} lines, those that do not match first.
        </Text>
      )}
    </>
  );
}

function sum(lines: readonly Line[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
