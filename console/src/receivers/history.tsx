// The history of a receiver, newest first, and the results of the identity check.

import { Badge, Group, Stack, Table, Text } from "@mantine/core";
import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { whoText } from "../state/who.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { KycStatus } from "./kyc-status.tsx";
import type { HistoryLine, ReportLine } from "./receiver.ts";
import styles from "./receivers.module.css";

export function History({
  history,
  reports,
}: {
  history: readonly HistoryLine[];
  reports: readonly ReportLine[];
}) {
  return (
    <Stack gap="md">
      <Panel title={receiversTexts.history} flush>
        <ol className={styles.history}>
          {history.map((line) => (
            <li key={line.id}>
              <Group gap={6}>
                <Status of="receiver" value={line.to.status} />
                <KycStatus value={line.to.kyc_status} />
              </Group>
              <Text size="sm">{line.reason}</Text>
              <Text size="xs" c="dimmed">
                <WhenBy ms={line.at} who={line.who} withSeconds />
              </Text>
            </li>
          ))}
        </ol>
      </Panel>
      <Reports reports={reports} />
    </Stack>
  );
}

function Reports({ reports }: { reports: readonly ReportLine[] }) {
  return (
    <Panel title={receiversTexts.identityCheckResults} flush>
      {reports.length === 0 ? (
        <Empty title="No results yet" />
      ) : (
        <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
          <Table aria-label={receiversTexts.identityCheckResults}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                <Table.Th>By</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>Provider result</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {reports.map((report) => (
                <Table.Tr key={`${report.at} ${report.provider} ${report.outcome}`}>
                  <Table.Td>
                    <When ms={report.at} />
                  </Table.Td>
                  <Table.Td>{byWhom(report)}</Table.Td>
                  <Table.Td>
                    <Status of="report" value={report.outcome} />
                  </Table.Td>
                  <Table.Td>
                    <ResultText report={report} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

/** The user who reviewed it, or the name of the provider. */
function byWhom({ provider, private_comment }: ReportLine): string {
  if (provider !== "operator") return provider;
  return whoText(private_comment) || "an operator";
}

function ResultText({ report }: { report: ReportLine }) {
  const { provider, labels, comment, private_comment } = report;
  return (
    <Stack gap={2}>
      {comment && <Text size="sm">{comment}</Text>}
      {provider !== "operator" && private_comment && (
        <Text size="xs" c="dimmed">
          {`Internal: ${private_comment}`}
        </Text>
      )}
      {labels.length > 0 && (
        <Group gap={4}>
          {labels.map((label) => (
            <Badge key={label} color="gray">
              {label}
            </Badge>
          ))}
        </Group>
      )}
      {!comment && labels.length === 0 && "–"}
    </Stack>
  );
}
