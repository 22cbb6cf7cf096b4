// The result of checking a file of receivers: what would become of each row, before anything is created.

import { Button, Group, Stack, Table, Text } from "@mantine/core";
import type { ReceiverFileCheck } from "@server/doors/console/imports/schema.ts";
import { CellProblems } from "../imports/cell-problems.tsx";
import { ReadingPanel } from "../imports/reading-panel.tsx";
import { RowsTable } from "../imports/rows-table.tsx";
import type { Chosen, ToldReading } from "../imports/use-import.ts";
import { Facts } from "../parts/facts.tsx";
import { Missing } from "../parts/missing.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import { fieldLabel, importsTexts } from "../texts/imports.ts";

type Row = ReceiverFileCheck["preview"][number];

const verdicts = {
  ready: importsTexts.ready,
  problem: importsTexts.problem,
  duplicate: importsTexts.duplicate,
  already_imported: importsTexts.alreadyImported,
} as const;
type VerdictName = keyof typeof verdicts;

export function CheckedReceivers({
  chosen: { name, check, told },
  isChecking,
  onTell,
  isStarting,
  onStart,
  onAgain,
}: {
  chosen: Chosen<ReceiverFileCheck>;
  isChecking: boolean;
  onTell: (told: ToldReading) => void;
  isStarting: boolean;
  onStart: () => void;
  onAgain: () => void;
}) {
  const { reading, counts, countries, preview, problem_file, rows } = check;
  const problems = preview.flatMap((row) => row.problems);
  const wrongRows = counts.problem + counts.duplicate;
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
              .filter((verdict) => verdict === "ready" || counts[verdict] > 0)
              .map((verdict) => ({
                label: verdicts[verdict],
                value: countText(counts[verdict]),
              }))}
          />
          {countries.length > 0 && (
            <Text size="sm">
              New receivers by country:{" "}
              {countries.map(({ country, receivers }) => `${country} ${receivers}`).join(", ")}
            </Text>
          )}
          <Group justify="space-between">
            <Button variant="default" onClick={onAgain} disabled={isStarting}>
              Choose another file
            </Button>
            <Missing
              text={
                counts.ready === 0 &&
                "Every row has a problem or exists already: correct the file, or choose another."
              }
            />
            <Button disabled={counts.ready === 0} loading={isStarting} onClick={onStart}>
              {counts.ready === 0
                ? "No receivers to create"
                : counts.ready === 1
                  ? "Create 1 receiver"
                  : `Create ${countText(counts.ready)} receivers`}
            </Button>
          </Group>
        </Stack>
      </Panel>
      <Panel title={importsTexts.preview} flush>
        <Preview preview={preview} rows={rows} />
      </Panel>
    </Stack>
  );
}

function Preview({ preview, rows }: { preview: readonly Row[]; rows: number }) {
  return (
    <RowsTable
      label={importsTexts.preview}
      head={
        <>
          <Table.Th ta="right">{importsTexts.row}</Table.Th>
          <Table.Th>Name</Table.Th>
          <Table.Th>Check</Table.Th>
          <Table.Th>Email</Table.Th>
          <Table.Th>Country</Table.Th>
        </>
      }
      rows={preview.map((row) => (
        <Table.Tr key={row.row}>
          <Table.Td ta="right">{row.row}</Table.Td>
          <Table.Td>{row.name || "–"}</Table.Td>
          <Table.Td>
            <Verdict row={row} />
          </Table.Td>
          <Table.Td>{row.email || "–"}</Table.Td>
          <Table.Td>{row.country || "–"}</Table.Td>
        </Table.Tr>
      ))}
      rest={
        preview.length < rows
          ? `The first ${countText(preview.length)} rows are shown, those with problems first.`
          : undefined
      }
    />
  );
}

function Verdict({ row: { verdict, problems } }: { row: Row }) {
  return (
    <Stack gap={2} align="flex-start">
      <Status of="importRow" value={verdict} />
      {problems.map(({ column, message }) => (
        <Text key={`${column} ${message}`} size="xs">
          {`${column && `${fieldLabel(column)}: `}${message}`}
        </Text>
      ))}
    </Stack>
  );
}
