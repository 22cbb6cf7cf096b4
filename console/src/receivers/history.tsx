// What became of a receiver, newest first, and what was reported of the identity check.

import { Badge, Group, Stack, Table, Text } from "@mantine/core";
import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
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
      <Panel title="History" flush>
        <ol className={styles.history}>
          {history.map((line) => (
            <li key={line.id}>
              <Group gap={6}>
                <Status of="receiver" value={line.to.status} />
                <KycStatus value={line.to.kyc_status} />
              </Group>
              <Text size="sm">{line.reason}</Text>
              <Text size="xs" c="dimmed">
                <When ms={line.at} withSeconds /> by {line.who}
              </Text>
            </li>
          ))}
        </ol>
      </Panel>
      <Reports reports={reports} />
    </Stack>
  );
}

export function Reports({ reports }: { reports: readonly ReportLine[] }) {
  return (
    <Panel title="Reports of the identity check" flush>
      {reports.length === 0 ? (
        <Empty title="Nothing has been reported" />
      ) : (
        <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
          <Table aria-label="Reports of the identity check">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>By</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>What was said</Table.Th>
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
                    <Said report={report} />
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

/** Of a person's report, who it was; of a provider's, what it says to operators alone. */
function byWhom({ provider, private_comment }: ReportLine): string {
  if (provider !== "operator") return provider;
  return private_comment.replace(/^operator:/, "") || "an operator";
}

function Said({ report }: { report: ReportLine }) {
  const { provider, labels, comment, private_comment } = report;
  return (
    <Stack gap={2}>
      {comment && <Text size="sm">{comment}</Text>}
      {provider !== "operator" && private_comment && (
        <Text size="xs" c="dimmed">
          For operators: {private_comment}
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
