// Which events the subaccount is told of, and how often that is tried.

import { Stack, Table, Text } from "@mantine/core";
import type { Settings } from "@server/console/settings/schema.ts";
import { usePageOf } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { spanText } from "../state/time.ts";
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
                  {webhook.url || "Nowhere yet"}{" "}
                  <PageLink underline="always" to={pageOf("webhooks")}>
                    Webhooks
                  </PageLink>
                </>
              ),
            },
            { label: "Kept for", value: `${kept.event_days} days` },
            { label: "Attempts kept for", value: `${kept.attempt_days} days` },
          ]}
        />
      </Panel>
      <Panel title="Event types">
        <EventTypes webhook={webhook} />
      </Panel>
      <Panel title="When an event is tried again">
        <Stack gap="sm">
          <RetryPicture retries={webhook.retries} />
          <Text size="sm" c="dimmed">
            An event that is not answered with 2xx is tried again after these pauses, each shorter
            or longer by up to {Math.round(jitter * 100)} %, for {spanText(tried_for_ms)}. Then it
            rests until somebody resends it. An endpoint that does not answer at all is left alone
            as a whole and probed.
          </Text>
          <Table withRowBorders={false} verticalSpacing={3} maw={320} aria-label="Pauses">
            <Table.Tbody>
              {shown.map(({ attempt, after_ms }) => (
                <Table.Tr key={attempt}>
                  <Table.Td c="dimmed">
                    after try {attempt}
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
