// Recalls of a payout that the bank has: record that the bank was asked for it, and what it answered.

import { Button, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { Panel } from "../parts/panel.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { optionsOf } from "../state/options.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payout.module.css";
import { useActOnPayout } from "./use-act-on-payout.ts";

const recallOutcomes = {
  accepted: "Accepted: the bank will return the payment",
  refused: "Refused: the bank will not return it",
  withdrawn: "Withdrawn: we no longer ask for it",
} as const;

type Parts = { payout: PayoutDetail };

export function RequestRecall({ payout }: Parts) {
  const actOn = useActOnPayout(payout);
  const [isOpen, setOpen] = useState(false);
  const request = async (note: string) => {
    await actOn("recall", { note });
    notifications.show({ message: "Recall request recorded", color: "teal" });
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {payoutsTexts.requestRecall}
      </Button>
      <ReasonDialog
        opened={isOpen}
        draft={`recall-${payout.id}`}
        title={payoutsTexts.requestRecall}
        text="Ask the bank for the payment first, then record it here. The payout stays as it is, and no money moves until the bank returns it."
        noteLabel="How and why the bank was asked"
        label="Record request"
        onReason={({ note }) => request(note)}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

function RecordOutcome({ payout }: Parts) {
  const actOn = useActOnPayout(payout);
  const [isOpen, setOpen] = useState(false);
  const record = async (outcome: string | undefined, note: string) => {
    await actOn("recall/outcome", { outcome, note });
    notifications.show({ message: "Outcome recorded", color: "teal" });
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {payoutsTexts.recordOutcome}
      </Button>
      <ReasonDialog
        opened={isOpen}
        draft={`recall-outcome-${payout.id}`}
        title={payoutsTexts.recordOutcome}
        text={payoutsTexts.recallMovesNoMoney}
        codeLabel={payoutsTexts.outcome}
        codes={optionsOf(recallOutcomes)}
        noteLabel="What the bank said"
        label={payoutsTexts.recordOutcome}
        onReason={({ code, note }) => record(code, note)}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Shown once the bank was asked. */
export function RecallPanel({ payout }: Parts) {
  const mayRecall = useMay("banks.release");
  const { recalls } = payout;
  if (recalls.length === 0) return null;
  const isWaiting = recalls.some(({ outcome }) => outcome === "waiting");
  return (
    <Panel title="Recall" actions={mayRecall && isWaiting && <RecordOutcome payout={payout} />}>
      <Stack gap="sm">
        {recalls.map((recall) => (
          <Recall key={recall.id} recall={recall} />
        ))}
        {isWaiting && (
          <Text size="sm" c="dimmed">
            {payoutsTexts.recallMovesNoMoney}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

function Recall({ recall }: { recall: PayoutDetail["recalls"][number] }) {
  const { outcome, note, requested_by, requested_at, outcome_note, decided_by, decided_at } =
    recall;
  return (
    <div>
      <Status of="recall" value={outcome} />
      <Text size="sm" mt={4}>
        {note}{" "}
        <span className={styles.who}>
          {payoutsTexts.by(requested_by)} <When ms={requested_at} />
        </span>
      </Text>
      {decided_at !== null && (
        <Text size="sm">
          {outcome_note}{" "}
          <span className={styles.who}>
            {payoutsTexts.by(decided_by)} <When ms={decided_at} />
          </span>
        </Text>
      )}
    </div>
  );
}
