// The progress and the result of an import.

import { Alert, Button, Group, Progress, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useApprover } from "../api/approver.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Download } from "../parts/icons.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { saveFile } from "../state/save-file.ts";
import { countsText, importsTexts } from "../texts/imports.ts";
import {
  countOutcomes,
  type Made,
  progressText,
  type RowResult,
  type Run,
  resultCsv,
} from "./import-run.ts";
import { RowsTable } from "./rows-table.tsx";

export function ImportProgress({
  run,
  name,
  idName,
  error,
  onResume,
  onAgain,
  children,
}: {
  run: Run;
  name: string;
  /** The name of the column with the ids of created objects. */
  idName: string;
  /** The connection was lost. */
  error: unknown;
  onResume: () => Promise<void>;
  onAgain: () => void;
  /** Where the created objects are. */
  children: ReactNode;
}) {
  const { rows, results, ended, made } = run;
  const { created, already_imported, refused } = countOutcomes(results);
  const percent = rows > 0 ? (results.length * 100) / rows : ended ? 100 : 0;
  const isBroken = Boolean(error) || ended?.how === "stopped";
  const text = progressText(run, Date.now());
  return (
    <Panel title={ended?.how === "end" ? `${name}: done` : `${name}: importing`}>
      <Stack gap="md">
        <div>
          <Progress.Root size="lg">
            <Progress.Section
              value={percent}
              color={isBroken || refused > 0 ? "var(--plot-pending)" : "var(--plot-paid)"}
              aria-label="Rows done"
              aria-valuetext={text}
            />
          </Progress.Root>
          <Text size="sm" mt={6} aria-live="polite">
            {ended?.how === "end"
              ? rows > 0 &&
                `${created} created, ${already_imported} already imported, ${refused} failed`
              : text}
          </Text>
        </div>
        {made && <NewPayees made={made} />}
        <Problem error={error} />
        {isBroken && (
          <Alert color="yellow" variant="light">
            {`${ended?.how === "stopped" ? ended.message : "The connection was lost."} Continue to import the remaining rows. No row is imported twice.`}
          </Alert>
        )}
        <Refused results={results} />
        {(ended || isBroken) && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<Download size={15} aria-hidden />}
              onClick={() => download(`${name}.result.csv`, resultCsv(results, idName))}
            >
              Download result
            </Button>
            {isBroken && <Button onClick={() => void onResume()}>Continue</Button>}
            <Button variant="default" onClick={onAgain}>
              Import another file
            </Button>
            {(created > 0 || made) && children}
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

function NewPayees({ made: { receivers, accounts, problems } }: { made: Made }) {
  const approver = useApprover("accounts.approve");
  const created = countsText({ receivers, accounts }) || "No receivers or accounts";
  return (
    <>
      <Alert color="blue" variant="light">
        {`${created} created. Their rows are paid from the page of this import, after the identity checks and the approval of the accounts by ${approver.within}. `}
        {accounts > 0 && <ApprovalsLink kind="bank_change" />}
      </Alert>
      {problems.map(({ row, message }) => (
        <Alert key={`${row} ${message}`} color="yellow" variant="light">
          {`Row ${row}: ${message}. What it needs was not created.`}
        </Alert>
      ))}
    </>
  );
}

function Refused({ results }: { results: readonly RowResult[] }) {
  const refused = results.filter(({ outcome }) => outcome === "refused");
  if (refused.length === 0) return null;
  return (
    <RowsTable
      label="Failed rows"
      head={
        <>
          <Table.Th ta="right">{importsTexts.row}</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>Code</Table.Th>
        </>
      }
      rows={refused.map(({ row, code, message }) => (
        <Table.Tr key={row}>
          <Table.Td ta="right">{row}</Table.Td>
          <Table.Td>{message}</Table.Td>
          <Table.Td>{code}</Table.Td>
        </Table.Tr>
      ))}
      pad={0}
    />
  );
}

function download(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: "text/csv" }));
}
