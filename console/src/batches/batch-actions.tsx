// What can be done with all payouts of a batch at once: approve, decline, retry. The dialog shows the sums first, and the
// server refuses if they have changed.

import { Alert, Button, Progress, Stack, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { PayoutBatchDetail } from "@server/doors/console/batches/schema.ts";
import type { BatchActLine } from "@server/money/imports/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sendForLines } from "../api/call.ts";
import { useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { FileUp, RotateCcw } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { Restored } from "../parts/restored.tsx";
import { TotalsToApprove } from "../payouts/payouts-to-approve.tsx";
import type { Sum } from "../state/money.ts";
import { batchesTexts } from "../texts/batches.ts";
import { payoutCountOf, waitingTotals } from "./batch.ts";

type Total = { currency: string; payouts: number; amount: Sum };
type ActName = "approve" | "decline" | "retry";

export function PayoutBatchActions({
  batch,
  onDone,
}: {
  batch: PayoutBatchDetail;
  onDone: () => void;
}) {
  const subaccount = useSubaccount();
  const { is_closed } = subaccount;
  const pageOf = usePageOf();
  const mayApprove = useMay("payouts.approve");
  const mayCreate = useMay("payouts.create") && !is_closed;
  const [open, setOpen] = useState<ActName>();
  const waiting = waitingTotals(batch.stages);
  const waitingCount = batchesTexts.payoutsCount(payoutCountOf(waiting));
  const retryCount = batchesTexts.payoutsCount(payoutCountOf(batch.retryable));
  const waitingReady = batch.file?.waiting_ready ?? 0;
  const hasWaiting = mayApprove && waiting.length > 0;
  return (
    <>
      {hasWaiting && !is_closed && batch.why_not === null && (
        <Button onClick={() => setOpen("approve")}>{batchesTexts.approveAll(waitingCount)}</Button>
      )}
      {hasWaiting && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen("decline")}>
          {batchesTexts.declineAll(waitingCount)}
        </Button>
      )}
      {hasWaiting && batch.why_not !== null && (
        <Text size="sm" c="dimmed">
          {batch.why_not}
        </Text>
      )}
      {mayCreate && batch.retryable.length > 0 && (
        <Button
          variant="default"
          leftSection={<RotateCcw size={14} aria-hidden />}
          onClick={() => setOpen("retry")}
        >
          {batchesTexts.retryAll(retryCount)}
        </Button>
      )}
      {mayCreate && waitingReady > 0 && (
        <LinkButton to={`${pageOf("payouts", "import")}?waiting_of=${batch.id}`} icon={FileUp}>
          {batchesTexts.payRows(waitingReady)}
        </LinkButton>
      )}
      {mayCreate && batch.can_retry_rows && (
        <LinkButton to={`${pageOf("payouts", "import")}?retry_of=${batch.id}`} icon={RotateCcw}>
          Retry refused rows
        </LinkButton>
      )}
      <ActOnBatch
        act={open}
        subaccount={subaccount}
        batchId={batch.id}
        totals={open === "retry" ? batch.retryable : waiting}
        onClose={() => setOpen(undefined)}
        onDone={onDone}
      />
    </>
  );
}

type ActParts = {
  subaccount: { id: string; mode: string };
  batchId: string;
  totals: readonly Total[];
  onClose: () => void;
  onDone: () => void;
};

/** Undefined: the dialog is closed. */
export function ActOnBatch({ act, ...rest }: ActParts & { act: ActName | undefined }) {
  return (
    <FormDialog opened={act !== undefined} onClose={rest.onClose} title={act ? titles[act] : ""}>
      {act && <ActForm act={act} {...rest} />}
    </FormDialog>
  );
}

const titles: Record<ActName, string> = {
  approve: "Approve the waiting payouts of this batch?",
  decline: "Decline the waiting payouts of this batch?",
  retry: "Retry the failed payouts of this batch?",
};
const texts: Record<ActName, string> = {
  approve:
    "Each payout is decided by itself: one that you may not approve is refused and keeps waiting. An approved payout is sent to the bank.",
  decline: "The payouts fail and their money is available again.",
  retry:
    "Each is created again with the same receiver, account, amount and reference, as a new batch. Thresholds and rules hold for the new batch.",
};

type Done = { rows: number; done: number; refused: number; reason: string; id: string };
const nothingDone: Done = { rows: 0, done: 0, refused: 0, reason: "", id: "" };

function withLine(before: Done, line: BatchActLine): Done {
  if (line.kind === "start") return { ...before, rows: line.rows, id: line.id };
  if (line.kind === "stopped") return { ...before, reason: line.message };
  if (line.kind !== "row") return before;
  if (line.outcome !== "refused") return { ...before, done: before.done + 1 };
  const reason = before.reason || batchesTexts.firstReason(line.code, line.message);
  return { ...before, refused: before.refused + 1, reason };
}

const blank = { reason: "" };

function ActForm({
  act,
  subaccount: { id, mode },
  batchId,
  totals,
  onClose,
  onDone,
}: ActParts & { act: ActName }) {
  const path = `/s/${id}/batches/${batchId}/${act}`;
  const navigate = useNavigate();
  const client = useQueryClient();
  const draft = useDialogDraft(`batch-${act}-${batchId}`, blank);
  const { reason } = draft.fields;
  const [progress, setProgress] = useState(nothingDone);
  // The sums as the dialog showed them first: a change meanwhile must not slip in.
  const [shown] = useState(totals);
  const run = useMutation({
    mutationFn: async (): Promise<Done> => {
      let now = nothingDone;
      const body = { totals: shown, ...(act === "decline" && { reason: reason.trim() }) };
      await sendForLines<BatchActLine>(path, body, (line) => {
        now = withLine(now, line);
        setProgress(now);
      });
      return now;
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [id] });
      onDone();
    },
    onSuccess: (now) => {
      const isWhole = now.refused === 0 && now.done === now.rows;
      const message = [batchesTexts.acted(now.done, now.refused), now.reason]
        .filter(Boolean)
        .join(". ");
      notifications.show({ message, color: isWhole ? "teal" : "yellow" });
      draft.forget();
      onClose();
      if (act === "retry" && now.done > 0)
        void navigate({ to: `/s/${id}/batches/${now.id}` as never });
    },
  });
  const count = batchesTexts.payoutsCount(payoutCountOf(shown));
  const labels: Record<ActName, string> = {
    approve: batchesTexts.approveAll(count),
    decline: batchesTexts.declineAll(count),
    retry: batchesTexts.retryAll(count),
  };
  return (
    <DialogForm
      act={run}
      label={labels[act]}
      danger={act === "decline"}
      isReady={act !== "decline" || reason.trim() !== ""}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{texts[act]}</Text>
        <Restored draft={draft} />
        <TotalsToApprove mode={mode} totals={shown} />
        {act === "decline" && (
          <Textarea
            label="Reason (the subaccount can read it)"
            value={reason}
            maxLength={200}
            autosize
            onChange={(event) => draft.change({ reason: event.currentTarget.value })}
          />
        )}
        {run.isPending && progress.rows > 0 && (
          <Alert color="gray" variant="light">
            <Progress
              value={((progress.done + progress.refused) * 100) / progress.rows}
              aria-label="Progress"
            />
            <Text size="sm" mt={6} aria-live="polite">
              {batchesTexts.acted(progress.done, progress.refused)}
            </Text>
          </Alert>
        )}
      </Stack>
    </DialogForm>
  );
}
