// The problems of a file, each with its cell, which is corrected in place and checked again.

import { Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import type { CellProblem } from "@server/doors/console/imports/schema.ts";
import { type FormEvent, useState } from "react";
import { Download } from "../parts/icons.tsx";
import { Panel } from "../parts/panel.tsx";
import { countText } from "../state/locale.ts";
import { saveFile } from "../state/save-file.ts";
import { fieldLabel, importsTexts } from "../texts/imports.ts";
import { RowsTable } from "./rows-table.tsx";
import type { ToldReading } from "./use-import.ts";

type Edit = NonNullable<ToldReading["edits"]>[number];

const keyOf = ({ row, field }: Pick<Edit, "row" | "field">) => `${row} ${field}`;

export function CellProblems({
  name,
  problems,
  problemCount,
  wrongRows,
  problemFile,
  edits,
  isBusy,
  onCheck,
}: {
  /** Of the file. */
  name: string;
  /** The first ones. */
  problems: readonly CellProblem[];
  problemCount: number;
  wrongRows: number;
  problemFile: string;
  /** The corrections so far. */
  edits: readonly Edit[];
  isBusy: boolean;
  onCheck: (edits: Edit[]) => void;
}) {
  const [typed, setTyped] = useState<Record<string, Edit>>({});
  const changes = Object.values(typed);
  const type = (problem: CellProblem, value: string) => {
    const edit = { row: problem.row, field: problem.column, value };
    setTyped((before) => ({ ...before, [keyOf(edit)]: edit }));
  };
  const open = problems.filter((problem) => {
    const { row, column: field, suggestion } = problem;
    return suggestion !== "" && typed[keyOf({ row, field })] === undefined;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changes.length === 0 || isBusy) return;
    const others = edits.filter((edit) => !(keyOf(edit) in typed));
    onCheck([...others, ...changes]);
    setTyped({});
  };
  const rows = wrongRows === 1 ? "1 row has" : `${countText(wrongRows)} rows have`;
  return (
    <Panel
      title={`${rows} problems`}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() =>
            saveFile(`${name}.problems.csv`, new Blob([problemFile], { type: "text/csv" }))
          }
        >
          Download rows with problems
        </Button>
      }
      flush
    >
      <form onSubmit={submit}>
        <Text size="sm" p="md" pb="xs">
          Rows with problems are not imported. Correct their cells here and check again, or download
          them and import them later.
        </Text>
        <RowsTable
          label="Problems"
          isStacked
          head={
            <>
              <Table.Th>{importsTexts.row}</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Cell</Table.Th>
              <Table.Th>Problem</Table.Th>
            </>
          }
          rows={problems.map((problem) => (
            <Problem
              key={`${problem.row} ${problem.column} ${problem.code} ${problem.message}`}
              problem={problem}
              value={typed[keyOf({ row: problem.row, field: problem.column })]?.value}
              isBusy={isBusy}
              onType={(value) => type(problem, value)}
            />
          ))}
          rest={
            problemCount > problems.length
              ? `The first ${countText(problems.length)} of ${countText(problemCount)}.`
              : undefined
          }
        />
        <Group p="md" gap="sm">
          {open.length > 1 && (
            <Button
              variant="light"
              disabled={isBusy}
              onClick={() => {
                for (const problem of open) type(problem, problem.suggestion);
              }}
            >
              {`Use all ${countText(open.length)} values offered`}
            </Button>
          )}
          <Button type="submit" disabled={changes.length === 0} loading={isBusy}>
            {changes.length < 2 ? "Check again" : `Check ${changes.length} corrections`}
          </Button>
        </Group>
      </form>
    </Panel>
  );
}

function Problem({
  problem: { row, column, code, message, cure, value: given, suggestion },
  value,
  isBusy,
  onType,
}: {
  problem: CellProblem;
  /** What the user typed. */
  value: string | undefined;
  isBusy: boolean;
  onType: (value: string) => void;
}) {
  const label = column === "" ? "Whole row" : fieldLabel(column);
  return (
    <Table.Tr>
      <Table.Td data-title={importsTexts.row}>{row}</Table.Td>
      <Table.Td data-title="Column">{label}</Table.Td>
      <Table.Td data-title="Cell">
        {column === "" ? (
          "–"
        ) : (
          <Stack gap={4} miw={150}>
            <TextInput
              aria-label={`${label} in row ${row}`}
              size="xs"
              value={value ?? given}
              disabled={isBusy}
              onChange={(event) => onType(event.currentTarget.value)}
            />
            {suggestion !== "" && value !== suggestion && (
              <Button
                size="compact-xs"
                variant="light"
                disabled={isBusy}
                onClick={() => onType(suggestion)}
              >
                {`Use ${suggestion}`}
              </Button>
            )}
          </Stack>
        )}
      </Table.Td>
      <Table.Td data-title={importsTexts.problem}>
        <Text size="sm">{message}</Text>
        <Text size="xs" c="dimmed">
          {[cure, code].filter((text) => text !== "").join(" · ")}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
