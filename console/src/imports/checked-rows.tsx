// The result of checking a file that creates things but pays nobody: what would become of each row, before anything is created.

import { Button, Group, Stack, Table, Text } from "@mantine/core";
import type { CellProblem, FileReading } from "@server/doors/console/imports/schema.ts";
import type { ReactNode } from "react";
import { Facts } from "../parts/facts.tsx";
import { Missing } from "../parts/missing.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import { fieldLabel, importsTexts } from "../texts/imports.ts";
import { CellProblems } from "./cell-problems.tsx";
import { ReadingPanel } from "./reading-panel.tsx";
import { RowsTable } from "./rows-table.tsx";
import type { Chosen, ToldReading } from "./use-import.ts";

const verdicts = {
  ready: importsTexts.ready,
  problem: importsTexts.problem,
  duplicate: importsTexts.duplicate,
  already_imported: importsTexts.alreadyImported,
  exists: importsTexts.exists,
  account_waits: importsTexts.accountWaits,
} as const;
type VerdictName = keyof typeof verdicts;

type CheckedRow = { row: number; name: string; verdict: string; problems: readonly CellProblem[] };

type RowsCheck<Row> = {
  rows: number;
  reading: FileReading;
  counts: Partial<Record<VerdictName, number>>;
  preview: readonly Row[];
  problem_file: string;
};

export function CheckedRows<Row extends CheckedRow>({
  chosen: { name, check, told },
  thing,
  remarksOf = () => [],
  columns,
  note,
  isChecking,
  onTell,
  isStarting,
  onStart,
  onAgain,
}: {
  chosen: Chosen<RowsCheck<Row>>;
  /** What a row creates: "receiver". */
  thing: string;
  /** What to look at before a row is imported. */
  remarksOf?: (row: Row) => readonly string[];
  /** Beside the number, the name and the verdict of a row. */
  columns: readonly { title: string; of: (row: Row) => string }[];
  note?: ReactNode;
  isChecking: boolean;
  onTell: (told: ToldReading) => void;
  isStarting: boolean;
  onStart: () => void;
  onAgain: () => void;
}) {
  const { reading, counts, preview, problem_file, rows } = check;
  const problems = preview.flatMap((row) => row.problems);
  const ready = counts.ready ?? 0;
  const wrongRows = (counts.problem ?? 0) + (counts.duplicate ?? 0);
  const problemCount = Math.max(problems.length, wrongRows);
  return (
    <Stack gap="md">
      <ReadingPanel reading={reading} isBusy={isChecking} onTell={onTell} />
      {wrongRows > 0 && (
        <CellProblems
          name={name}
          problems={problems}
          problemCount={problemCount}
          wrongRows={wrongRows}
          problemFile={problem_file}
          edits={told.edits ?? []}
          isBusy={isChecking}
          onCheck={(edits) => onTell({ edits })}
        />
      )}
      <Panel title={`${name}: ${rows === 1 ? "1 row" : `${countText(rows)} rows`}`}>
        <Stack gap="md">
          <Facts
            items={(Object.keys(verdicts) as VerdictName[])
              .filter((verdict) => verdict === "ready" || counts[verdict])
              .map((verdict) => ({
                label: verdicts[verdict],
                value: countText(counts[verdict] ?? 0),
              }))}
          />
          {note}
          <Group justify="space-between">
            <Button variant="default" onClick={onAgain} disabled={isStarting}>
              Choose another file
            </Button>
            <Missing
              text={
                ready === 0 &&
                "Every row has a problem or exists already: correct the file, or choose another."
              }
            />
            <Button disabled={ready === 0} loading={isStarting} onClick={onStart}>
              {ready === 0
                ? `No ${thing}s to create`
                : ready === 1
                  ? `Create 1 ${thing}`
                  : `Create ${countText(ready)} ${thing}s`}
            </Button>
          </Group>
        </Stack>
      </Panel>
      <Panel title={importsTexts.preview} flush>
        <RowsTable
          label={importsTexts.preview}
          head={
            <>
              <Table.Th ta="right">{importsTexts.row}</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Check</Table.Th>
              {columns.map(({ title }) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </>
          }
          rows={preview.map((row) => (
            <Table.Tr key={row.row}>
              <Table.Td ta="right">{row.row}</Table.Td>
              <Table.Td>{row.name || "–"}</Table.Td>
              <Table.Td>
                <Verdict row={row} remarks={remarksOf(row)} />
              </Table.Td>
              {columns.map(({ title, of }) => (
                <Table.Td key={title}>{of(row) || "–"}</Table.Td>
              ))}
            </Table.Tr>
          ))}
          rest={
            preview.length < rows
              ? `The first ${countText(preview.length)} rows are shown, those with problems first.`
              : undefined
          }
        />
      </Panel>
    </Stack>
  );
}

function Verdict({
  row: { verdict, problems },
  remarks,
}: {
  row: CheckedRow;
  remarks: readonly string[];
}) {
  const wrong = problems.map(
    ({ column, message }) => `${column && `${fieldLabel(column)}: `}${message}`,
  );
  return (
    <Stack gap={2} align="flex-start">
      <Status of="importRow" value={verdict} />
      {[...wrong, ...remarks].map((text) => (
        <Text key={text} size="xs">
          {text}
        </Text>
      ))}
    </Stack>
  );
}
