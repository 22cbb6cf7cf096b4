// The result of checking a file of receivers: what would become of each row, before anything is created.

import { Alert, Button, Group, Stack, Table, Text } from "@mantine/core";
import type { ReceiverFileCheck } from "@server/doors/console/imports/schema.ts";
import { RowsTable } from "../imports/rows-table.tsx";
import { Facts } from "../parts/facts.tsx";
import { Download } from "../parts/icons.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import { saveFile } from "../state/save-file.ts";
import { importsTexts } from "../texts/imports.ts";

type Row = ReceiverFileCheck["preview"][number];

const verdicts = {
  ready: importsTexts.ready,
  problem: importsTexts.problem,
  duplicate: importsTexts.duplicate,
  already_imported: importsTexts.alreadyImported,
} as const;
type VerdictName = keyof typeof verdicts;

export function rowsIn({ counts }: ReceiverFileCheck): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function CheckedReceivers({
  name,
  check,
  isStarting,
  onStart,
  onAgain,
}: {
  name: string;
  check: ReceiverFileCheck;
  isStarting: boolean;
  onStart: () => void;
  onAgain: () => void;
}) {
  const { counts, countries, preview, problem_file } = check;
  const rows = rowsIn(check);
  const isWrong = problem_file !== "";
  return (
    <Stack gap="md">
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
          {isWrong && (
            <Alert color="yellow" variant="light">
              <Stack gap="xs" align="flex-start">
                <Text size="sm">
                  Rows with problems are not imported. Download them, correct them, and import the
                  corrected file.
                </Text>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<Download size={14} aria-hidden />}
                  onClick={() => {
                    const file = new Blob([problem_file], { type: "text/csv" });
                    saveFile(`${name}.problems.csv`, file);
                  }}
                >
                  Download rows with problems
                </Button>
              </Stack>
            </Alert>
          )}
          <Group justify="space-between">
            <Button variant="default" onClick={onAgain} disabled={isStarting}>
              Choose another file
            </Button>
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
      {problems.map((problem) => (
        <Text key={problem} size="xs">
          {problem}
        </Text>
      ))}
    </Stack>
  );
}
