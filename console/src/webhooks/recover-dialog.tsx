// Resends the failed events of a period. Shows how many there are before anything is sent.

import { Checkbox, Modal, SegmentedControl, Text, TextInput } from "@mantine/core";
import type { Recovery } from "@server/doors/console/events/schema.ts";
import type { RecoveryPreview } from "@server/webhooks/events/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { DialogForm } from "../parts/form-dialog.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { useZone } from "../state/zone.ts";
import { webhooksTexts } from "../texts/webhooks.ts";

const hourMs = 3_600_000;
const spans = [
  { label: "1 hour", value: String(hourMs) },
  { label: "24 hours", value: String(24 * hourMs) },
  { label: "7 days", value: String(7 * 24 * hourMs) },
  { label: "Since…", value: "since" },
];

export function RecoverDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Resend failed events">
      <RecoverForm onClose={onClose} />
    </Modal>
  );
}

function RecoverForm({ onClose }: { onClose: () => void }) {
  const [openedMs] = useState(() => Date.now());
  const [span, setSpan] = useState(String(24 * hourMs));
  const [typed, setTyped] = useState("");
  const [withDelivered, setWithDelivered] = useState(false);
  const [withUnsent, setWithUnsent] = useState(false);
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const zone = useZone();
  const client = useQueryClient();
  const [, setFilters] = useFilters();

  const typedMs = Date.parse(zone === "utc" ? `${typed}Z` : typed);
  const since = span === "since" ? typedMs : openedMs - Number(span);
  const isKnown = Number.isFinite(since) && since < openedMs;
  const preview = useQuery({
    queryKey: [id, "events", "recovery-preview", since, withDelivered, withUnsent],
    queryFn: ({ signal }) =>
      get<RecoveryPreview>(
        apiOf("/events/recover"),
        { since, with_delivered: withDelivered, with_unsent: withUnsent },
        signal,
      ),
    enabled: isKnown,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: () =>
      send<Recovery>("POST", apiOf("/events/recover"), {
        since,
        with_delivered: withDelivered,
        with_unsent: withUnsent,
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [id, "events", "recoveries"] });
      onClose();
      setFilters({ tab: "recoveries" });
    },
  });
  const { count = 0, unsent = 0, is_capped = false } = (isKnown && preview.data) || {};
  const canStart = count > 0 || is_capped;
  return (
    <DialogForm
      act={{ error: preview.error ?? start.error, isPending: start.isPending }}
      label={count > 0 ? `Resend ${previewText(preview.data)}` : webhooksTexts.resend}
      isReady={canStart}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <div>
        <Text size="sm" fw={500} mb={4} id="recover-span">
          Events of the last
        </Text>
        <SegmentedControl
          fullWidth
          data={spans}
          value={span}
          onChange={setSpan}
          aria-labelledby="recover-span"
        />
      </div>
      {span === "since" && (
        <TextInput
          type="datetime-local"
          label={zone === "utc" ? "Since (UTC)" : "Since"}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Checkbox
        label="Include delivered events"
        description="For events that your endpoint accepted and then lost."
        checked={withDelivered}
        onChange={(event) => setWithDelivered(event.currentTarget.checked)}
      />
      {(unsent > 0 || withUnsent) && (
        <Checkbox
          label={`Include events that were never sent (${countText(unsent)})`}
          description="No webhook endpoint was set when they were created. They did not fail."
          checked={withUnsent}
          onChange={(event) => setWithUnsent(event.currentTarget.checked)}
        />
      )}
      <Text size="sm" aria-live="polite">
        {preview.data && isKnown ? <CountInWords preview={preview.data} /> : "…"}
      </Text>
    </DialogForm>
  );
}

function previewText(preview: RecoveryPreview | undefined): string {
  if (!preview) return "";
  return countText(preview.count, preview.is_capped);
}

function CountInWords({ preview }: { preview: RecoveryPreview }) {
  const { count, is_capped, needs_step_up } = preview;
  if (count === 0) {
    return is_capped
      ? "No failed events among the newest ones of this period. Older ones were not searched."
      : "No events to resend.";
  }
  return (
    <>
      <strong>{webhooksTexts.countOfEvents(count, previewText(preview))}</strong> will be resent in
      order, about 1,000 per second. Pending events are retried immediately.
      {needs_step_up && " You will be asked to confirm your identity."}
    </>
  );
}
