// All webhook endpoints of the subaccount, with that of postback_url: their types, state and last day.

import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { EndpointLine } from "@server/doors/console/webhook-endpoints/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Plus } from "../parts/icons.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { countText, percentText } from "../state/locale.ts";
import { webhooksTexts } from "../texts/webhooks.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointMenu } from "./endpoint-menu.tsx";
import styles from "./webhooks.module.css";

export function EndpointsTab() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  const mayWrite = useMay("webhooks.write") && !is_closed;
  const { data, error, refetch } = useQuery({
    queryKey: [id, "events", "endpoints"],
    queryFn: ({ signal }) => get<EndpointLine[]>(apiOf("/webhook-endpoints"), {}, signal),
    refetchInterval: 10_000,
  });
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Each endpoint gets the events of its types, whatever the others do. Up to ten.
        </Text>
        {mayWrite && (
          <Button leftSection={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
            {webhooksTexts.addEndpoint}
          </Button>
        )}
      </Group>
      {data.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          menu={mayWrite && <EndpointMenu endpoint={endpoint} onSecret={setSecret} />}
        />
      ))}
      <EndpointDialog opened={isCreating} onSecret={setSecret} onClose={() => setCreating(false)} />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </Stack>
  );
}

function EndpointCard({ endpoint, menu }: { endpoint: EndpointLine; menu: React.ReactNode }) {
  const { id, url, description, is_postback, event_types, format, header_names } = endpoint;
  const { attempts, delivered, p95_ms } = endpoint.last_day;
  return (
    <Panel title={description || (is_postback ? "postback_url" : "Endpoint")} actions={menu}>
      <Stack gap="xs">
        <Group gap="sm">
          <Status of="endpoint" value={endpoint.status} />
          <span className={styles.url}>{url}</span>
          <IdChip id={id} short />
          {format === "thin" && <Badge color="gray">thin</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          <StoppedBecause endpoint={endpoint} />
          {event_types.join(", ")}
          {header_names.length > 0 && ` · with ${header_names.join(", ")}`}
        </Text>
        <Text size="sm">
          {webhooksTexts.pending}: {countText(endpoint.waiting)} · last 24 hours:{" "}
          {countText(attempts)} attempts
          {attempts > 0 &&
            `, ${percentText(Math.floor((delivered / attempts) * 1000) / 1000)} delivered`}
          {p95_ms !== null && `, 95th percentile ${webhooksTexts.ms(countText(p95_ms))}`}
        </Text>
      </Stack>
    </Panel>
  );
}

const reasons = {
  failing: "Disabled because it failed for too long. ",
  gone: "Disabled because it responded with 410 (Gone). ",
  secret: "Disabled because its secret can't be decrypted: rotate the secret, then enable it. ",
} as const;

function StoppedBecause({
  endpoint: { disabled_because, failing_since },
}: {
  endpoint: EndpointLine;
}) {
  if (disabled_because !== null) return reasons[disabled_because as keyof typeof reasons];
  if (failing_since === null) return null;
  return (
    <>
      Failing since <When ms={Number(failing_since)} />.{" "}
    </>
  );
}
