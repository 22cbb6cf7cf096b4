// Tells all events of a time again. Says how many there are before anything is sent.

import {
  Button,
  Checkbox,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import type { Recovery, RecoveryPreview } from "@server/console/events/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { get, send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";

const hourMs = 3_600_000;
const spans = [
  { label: "1 hour", value: String(hourMs) },
  { label: "24 hours", value: String(24 * hourMs) },
  { label: "7 days", value: String(7 * 24 * hourMs) },
  { label: "Since …", value: "since" },
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canStart) start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div>
          <Text size="sm" fw={500} mb={4} id="recover-span">
            What happened in the last
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
          label="Also what was delivered"
          description="For events that you answered with 2xx and lost."
          checked={withDelivered}
          onChange={(event) => setWithDelivered(event.currentTarget.checked)}
        />
        {(unsent > 0 || withUnsent) && (
          <Checkbox
            label={`Include events that were never sent (${unsent.toLocaleString("en")})`}
            description="There was no endpoint address when they happened. They did not fail."
            checked={withUnsent}
            onChange={(event) => setWithUnsent(event.currentTarget.checked)}
          />
        )}
        <Text size="sm" aria-live="polite">
          {preview.data && isKnown ? <CountInWords preview={preview.data} /> : "…"}
        </Text>
        <Problem error={preview.error ?? start.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canStart} loading={start.isPending}>
            {count > 0 ? `Resend ${countText(preview.data)}` : "Resend"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function countText(preview: RecoveryPreview | undefined): string {
  if (!preview) return "";
  return `${preview.count.toLocaleString("en")}${preview.is_capped ? "+" : ""}`;
}

function CountInWords({ preview }: { preview: RecoveryPreview }) {
  const { count, is_capped, needs_step_up } = preview;
  if (count === 0) {
    return is_capped
      ? "None among the newest events of that time; older ones were not looked at."
      : "No failed events in that time.";
  }
  return (
    <>
      <strong>
        {countText(preview)} {count === 1 ? "event" : "events"}
      </strong>{" "}
      will be resent, in order, about 1,000 a second. Those that wait already are tried at once.
      {needs_step_up && " You are asked to confirm that it is you."}
    </>
  );
}
