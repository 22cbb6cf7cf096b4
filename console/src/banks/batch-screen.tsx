// One bank file: totals, hash, who released it, what is unusual in it, and its lines.

import { Stack, Text } from "@mantine/core";
import type { BankBatchDetail } from "@server/doors/console/banks/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { banksTexts } from "../texts/banks.ts";
import styles from "./banks.module.css";
import { BatchActions } from "./batch-actions.tsx";
import { BatchFile } from "./batch-file.tsx";
import { BatchReviewPanel } from "./batch-review.tsx";
import { LateMark } from "./late-mark.tsx";
import { nextStepOf } from "./next-step.ts";
import { QueuedPayouts } from "./queued-payouts.tsx";
import { TestMark } from "./test-mark.tsx";
import { TimelineEntryLine } from "./timeline-entry.tsx";

const whatTexts = {
  freeze: "Frozen",
  view: "Raw file viewed",
  approve: "Approved",
  download: "Downloaded",
  sent: "Sent to the bank",
  discard: "Discarded",
  other: "Changed",
} as Record<string, string>;

export function BatchScreen() {
  const { batchId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "batch", batchId],
    queryFn: ({ signal }) =>
      get<BankBatchDetail>(`/banks/batches/${encodeURIComponent(batchId)}`, {}, signal),
    // Another user may approve it meanwhile.
    refetchInterval: 10_000,
  });
  const back = <PageLink to="/banks">{banksTexts.banks}</PageLink>;
  if (!data)
    return <LoadingScreen title="Bank file" above={back} error={error} onRetry={refetch} />;
  return (
    <Screen
      title={data.file_name}
      above={back}
      beside={
        <span className={styles.marks}>
          <Status of="batch" value={data.status} />
          <TestMark mode={data.mode} />
          {data.is_late && <LateMark />}
        </span>
      }
      actions={<BatchActions batch={data} />}
    >
      <div className={styles.columns}>
        <Stack gap="md">
          <Panel title="Timeline">
            <Timeline batch={data} />
          </Panel>
          <BatchReviewPanel batch={data} />
        </Stack>
        <Panel title="Details">
          <BatchFacts batch={data} />
        </Panel>
      </div>
      <BatchFile batch={data} />
    </Screen>
  );
}

/** The worker freezes a file at its time. */
function whoFroze(who: string): string {
  return who.startsWith("rail:") ? "the schedule" : whoText(who);
}

function BatchFacts({ batch }: { batch: BankBatchDetail }) {
  const { sent_by, downloaded_by, downloaded_at, sent_at, discard_by, discarded_at } = batch;
  return (
    <Facts
      items={[
        {
          label: banksTexts.bank,
          value: `${batch.connection_name}, ${batch.format}, ${batch.account}`,
        },
        {
          label: banksTexts.total,
          value: (
            <strong>
              <Money amount={batch.total} currency={batch.currency} />
            </strong>
          ),
        },
        { label: banksTexts.payouts, value: countText(batch.payouts) },
        { label: banksTexts.processDate, value: calendarDayText(batch.process_date) },
        { label: banksTexts.bankCutoff, value: <When ms={batch.cutoff} withSeconds /> },
        { label: "Number", value: batch.sequence },
        { label: "SHA-256", value: <span className={styles.hash}>{batch.sha256}</span> },
        { label: "Size", value: `${countText(batch.bytes)} bytes` },
        { label: "Frozen by", value: whoFroze(batch.frozen_by) },
        { label: "Approved by", value: batch.approved_by.map(whoText).join(", ") },
        downloaded_at !== null && { label: "Downloaded by", value: whoText(downloaded_by) },
        sent_at !== null && { label: "Sent by", value: whoText(sent_by) },
        batch.bank_reference !== "" && {
          label: banksTexts.bankReference,
          value: <IdChip id={batch.bank_reference} />,
        },
        discarded_at !== null && { label: "Discarded by", value: whoText(discard_by) },
      ]}
    />
  );
}

function Timeline({ batch }: { batch: BankBatchDetail }) {
  const { isBad, text } = nextStepOf(batch);
  return (
    <>
      <ol className={styles.timeline}>
        {batch.timeline.map(({ at, what, who, detail }, index) => (
          // Entries never change or move: new ones are added at the end.
          <TimelineEntryLine
            // biome-ignore lint/suspicious/noArrayIndexKey: several may be of one moment and kind
            key={index}
            title={whatTexts[what]}
            detail={[banksTexts.by(whoFroze(who)), detail].filter(Boolean).join(" · ")}
            at={at}
          />
        ))}
      </ol>
      <div className={styles.next} data-bad={isBad || undefined}>
        {batch.send_problem && <SendProblemText found={batch.send_problem} />}
        <Text size="sm">
          <strong>Next step:</strong> {text}
          {batch.status === "discarded" && <QueuedPayouts batch={batch} />}
        </Text>
      </div>
    </>
  );
}

function SendProblemText({ found }: { found: NonNullable<BankBatchDetail["send_problem"]> }) {
  const { problem, tries, next_try_at, needs_user } = found;
  return (
    <Text size="sm">
      <strong>Not sent:</strong>{" "}
      {`${problem} (${tries === 1 ? "tried once" : `tried ${tries} times`}).`}{" "}
      {needs_user && "It is not tried again by itself."}
      {next_try_at !== null && (
        <>
          Next try: <When ms={next_try_at} isPlanned />
        </>
      )}
    </Text>
  );
}
