// Matches a bank's CSV file with the statement of the month. The file stays in the browser.

import { Alert, Button, FileButton, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Check, Minus, Upload } from "lucide-react";
import { addressOf } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { problemOf } from "../api/problem.ts";
import { Money } from "../parts/money.tsx";
import { Problem } from "../parts/problem.tsx";
import { moneyText } from "../state/money.ts";
import { reconcileTexts } from "../texts/reconcile.ts";
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
              {reconcileTexts.chooseBankCsvFile}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {reconcileTexts.matchesByReferenceAmountAndDate}
        </Text>
      </Group>
      <Problem error={match.error} />
      {match.data === "unreadable" && (
        <Alert color="yellow" title={reconcileTexts.thisFileDoesntLookLikeA}>
          <Text size="sm">{reconcileTexts.theFirstLineMustNameColumns}</Text>
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
  // Lines that don't match come first.
  const lines = [
    ...bank
      .filter(({ isMatched }) => !isMatched)
      .map((line) => ({ ...line, of: reconcileTexts.missingFromLedger })),
    ...missing.map((line) => ({ ...line, isMatched: false, of: reconcileTexts.missingFromBank })),
    ...bank
      .filter(({ isMatched }) => isMatched)
      .map((line) => ({ ...line, of: reconcileTexts.matched })),
  ];
  return (
    <>
      <Text size="sm" role="status">
        {reconcileTexts.ofBankLinesMatchMissingFrom(
          found,
          bank.length,
          bank.length - found,
          moneyText(sum(bank.filter(({ isMatched }) => !isMatched)), currency),
          missing.length,
          moneyText(sum(missing), currency),
        )}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section className={styles.frame} tabIndex={0} aria-label={reconcileTexts.matchedLines}>
        <Table className={styles.matches ?? ""} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{reconcileTexts.result}</Table.Th>
              <Table.Th scope="col">{reconcileTexts.day}</Table.Th>
              <Table.Th scope="col">{reconcileTexts.reference}</Table.Th>
              <Table.Th scope="col">{reconcileTexts.amount}</Table.Th>
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
          {reconcileTexts.showsTheFirstOfLinesLines(shownMax, lines.length)}
        </Text>
      )}
    </>
  );
}

function sum(lines: readonly Line[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
