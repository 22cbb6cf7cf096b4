// The event types of the subaccount, and the retry schedule.

import { Stack, Table, Text } from "@mantine/core";
import type { Settings } from "@server/doors/console/settings/schema.ts";
import { usePageOf } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { spanText } from "../state/time.ts";
import { settingsTexts } from "../texts/settings.ts";
import { useWebhook } from "../webhooks/webhook.ts";
import { EventTypes } from "./event-types.tsx";
import { RetryPicture } from "./retry-picture.tsx";

export function EventSettingsTab({ settings: { kept } }: { settings: Settings }) {
  const { data: webhook, error, refetch } = useWebhook();
  const pageOf = usePageOf();
  if (!webhook) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  const { steps, tried_for_ms, jitter } = webhook.retries;
  const last = steps.at(-1)?.after_ms ?? 0;
  const shown = steps.slice(0, 1 + steps.findIndex(({ after_ms }) => after_ms === last));
  return (
    <Stack gap="md">
      <Panel title="Events">
        <Facts
          items={[
            {
              label: "Sent to",
              value: (
                <>
                  {webhook.url || "Not configured"}{" "}
                  <PageLink underline="always" to={pageOf("webhooks")}>
                    Webhooks
                  </PageLink>
                </>
              ),
            },
            { label: "Kept for", value: settingsTexts.days(kept.event_days) },
            { label: "Attempts kept for", value: settingsTexts.days(kept.attempt_days) },
          ]}
        />
      </Panel>
      <Panel title="Event types">
        <EventTypes webhook={webhook} />
      </Panel>
      <Panel title="Retry schedule">
        <Stack gap="sm">
          <RetryPicture retries={webhook.retries} />
          <Text size="sm" c="dimmed">
            {`An event without a 2xx response is retried after these pauses (each varies by up to ${Math.round(jitter * 100)}%) for ${spanText(tried_for_ms)}. Then it is marked failed until someone resends it. An endpoint that does not respond at all is paused and checked periodically.`}
          </Text>
          <Table withRowBorders={false} verticalSpacing={3} maw={320} aria-label="Pauses">
            <Table.Tbody>
              {shown.map(({ attempt, after_ms }) => (
                <Table.Tr key={attempt}>
                  <Table.Td c="dimmed">
                    {`after attempt ${attempt}`}
                    {after_ms === last && " and later"}
                  </Table.Td>
                  <Table.Td>{spanText(after_ms)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      </Panel>
    </Stack>
  );
}
