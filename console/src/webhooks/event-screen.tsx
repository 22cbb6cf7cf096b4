// One event with its delivery attempts: request, signed string and response.

import { Text } from "@mantine/core";
import type { EventFacts, EventLine } from "@server/doors/console/events/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get, send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";
import { AttemptList } from "./attempt-list.tsx";
import { TestBadge } from "./test-badge.tsx";

export function EventScreen() {
  const { eventId } = useParams({ strict: false });
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const client = useQueryClient();
  const mayWrite = useMay("webhooks.write");
  const path = apiOf(`/events/${encodeURIComponent(eventId ?? "")}`);
  const {
    data: event,
    error,
    refetch,
  } = useQuery({
    queryKey: [id, "events", eventId],
    queryFn: ({ signal }) => get<EventFacts>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === "waiting" ? 2_000 : false),
  });
  const resend = async () => {
    await send<EventLine>("POST", `${path}/resend`);
    await client.invalidateQueries({ queryKey: [id, "events"] });
  };
  const back = <PageLink to={pageOf("webhooks")}>{webhooksTexts.webhooks}</PageLink>;
  if (!event)
    return (
      <LoadingScreen title={webhooksTexts.event} above={back} error={error} onRetry={refetch} />
    );
  return (
    <Screen
      title={event.type}
      above={back}
      beside={
        <>
          <Status of="event" value={stateOf(event)} />
          {event.is_test && <TestBadge />}
        </>
      }
      actions={
        mayWrite &&
        !is_closed && <Act label={webhooksTexts.resend} onAct={resend} done="Event resent" />
      }
    >
      <Panel title={webhooksTexts.event}>
        <Facts
          items={[
            { label: "ID", value: <IdChip id={event.id} /> },
            { label: webhooksTexts.created, value: <When ms={event.created_at} withSeconds /> },
            event.is_test && {
              label: webhooksTexts.testEvent,
              value: "Sample event with fake IDs.",
            },
            event.payout_id !== null && {
              label: webhooksTexts.payout,
              value: <Subject id={event.payout_id} page="payouts" isTest={event.is_test} />,
            },
            event.receiver_id !== null && {
              label: webhooksTexts.receiver,
              value: <Subject id={event.receiver_id} page="receivers" isTest={event.is_test} />,
            },
            event.reference !== null && { label: webhooksTexts.reference, value: event.reference },
            {
              label: "Next step",
              value: <WhatNow event={event} />,
            },
          ]}
        />
      </Panel>
      <CodeBlock text={event.body} label="Body, exactly as sent and signed" wrap />
      <Panel title={`Attempts (${event.attempts.length})`}>
        {event.attempts.length === 0 ? (
          <Text size="sm" c="dimmed">
            No attempts yet, or they are older than 30 days and were deleted.
          </Text>
        ) : (
          <AttemptList attempts={event.attempts} body={event.body} />
        )}
      </Panel>
    </Screen>
  );
}

function Subject({ id, page, isTest }: { id: string; page: string; isTest: boolean }) {
  const pageOf = usePageOf();
  return isTest ? id : <PageLink to={pageOf(page, id)}>{id}</PageLink>;
}

function stateOf({ status, attempt_count }: EventFacts): string {
  return status === "waiting" && attempt_count > 0 ? "retrying" : status;
}

function WhatNow({ event: { status, next_attempt_at, attempt_count } }: { event: EventFacts }) {
  switch (status) {
    case "delivered":
      return "None. Your endpoint responded with 2xx.";
    case "undelivered":
      return "Delivery failed for 30 days and stopped. Fix the endpoint, then resend the event.";
    case "unsent":
      return "No webhook endpoint was set. Add one, then resend the event.";
    default:
      if (next_attempt_at === null) return "Resume the endpoint to send it.";
      return (
        <>
          {attempt_count > 0 ? "None. Next retry: " : "None. First attempt: "}
          <When ms={next_attempt_at} isPlanned />.
        </>
      );
  }
}
