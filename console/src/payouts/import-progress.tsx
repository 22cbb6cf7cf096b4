// The progress and the result of an import.

import { Alert, Button, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { Download } from "lucide-react";
import { usePageOf } from "../api/me.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { saveFile } from "../state/save-file.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./import.module.css";
import { countOutcomes, progressText, type RowResult, type Run, resultCsv } from "./import-run.ts";

const refusedShownMax = 100;

export function ImportProgress({
  run,
  name,
  error,
  onResume,
  onAgain,
}: {
  run: Run;
  name: string;
  /** The connection was lost. */
  error: unknown;
  onResume: () => Promise<void>;
  onAgain: () => void;
}) {
  const { rows, results, ended, batchId } = run;
  const pageOf = usePageOf();
  const { created, already_imported, refused } = countOutcomes(results);
  const percent = rows > 0 ? (results.length * 100) / rows : 0;
  const isBroken = Boolean(error) || ended?.how === "stopped";
  const text = progressText(run, Date.now());
  return (
    <Panel title={ended?.how === "end" ? payoutsTexts.done(name) : payoutsTexts.importing(name)}>
      <Stack gap="md">
        <div>
          <Progress.Root size="lg">
            <Progress.Section
              value={percent}
              color={isBroken ? "yellow" : refused > 0 ? "orange" : "teal"}
              aria-label={payoutsTexts.rowsDone}
              aria-valuetext={text}
            />
          </Progress.Root>
          <Text size="sm" mt={6} aria-live="polite">
            {ended?.how === "end"
              ? payoutsTexts.createdAlreadyImportedFailed(created, already_imported, refused)
              : text}
          </Text>
        </div>
        <Problem error={error} />
        {isBroken && (
          <Alert color="yellow" variant="light">
            {payoutsTexts.continueToImportTheRemainingRows(
              ended?.how === "stopped" ? ended.message : "The connection was lost.",
            )}
          </Alert>
        )}
        <Refused results={results} />
        {(ended || isBroken) && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<Download size={15} aria-hidden />}
              onClick={() => download(`${name}.result.csv`, resultCsv(results))}
            >
              {payoutsTexts.downloadResult}
            </Button>
            {isBroken && <Button onClick={() => void onResume()}>{payoutsTexts.continue}</Button>}
            <Button variant="default" onClick={onAgain}>
              {payoutsTexts.importAnotherFile}
            </Button>
            {created > 0 && (
              <PageLink to={`${pageOf("payouts")}?batch_id=${batchId}`} fz="sm">
                {payoutsTexts.viewPayoutsOfThisImport}
              </PageLink>
            )}
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

function Refused({ results }: { results: readonly RowResult[] }) {
  const refused = results.filter(({ outcome }) => outcome === "refused");
  if (refused.length === 0) return null;
  return (
    // A scrolling area must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles.problems} aria-label={payoutsTexts.failedRows} tabIndex={0}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">{payoutsTexts.row}</Table.Th>
            <Table.Th>{payoutsTexts.reason}</Table.Th>
            <Table.Th>{payoutsTexts.code}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refused.slice(0, refusedShownMax).map(({ row, code, message }) => (
            <Table.Tr key={row}>
              <Table.Td ta="right">{row}</Table.Td>
              <Table.Td>{message}</Table.Td>
              <Table.Td>{code}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {refused.length > refusedShownMax && (
        <Text size="sm" c="dimmed" p="sm">
          {payoutsTexts.andMoreInTheDownloadedResult(
            (refused.length - refusedShownMax).toLocaleString("en"),
          )}
        </Text>
      )}
    </section>
  );
}

function download(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: "text/csv" }));
}
