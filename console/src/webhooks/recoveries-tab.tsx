// What was told again: how far each has come, and a way to stop it.

import { Progress, Stack, Table, Text } from "@mantine/core";
import type { Recoveries, Recovery } from "@server/operator/events/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { When } from "../parts/when.tsx";

export function RecoveriesTab() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "events", "recoveries"],
    queryFn: ({ signal }) => get<Recoveries>(apiOf("/recoveries"), {}, signal),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : 10_000),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <Panel flush>
      {data?.rows.length === 0 ? (
        <Empty
          title="Nothing was told again"
          hint="Resend all failed, on the tab of events, tells all events of a time again."
          line={`npx disburse events recover --since 2h --subaccount ${id}`}
        />
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table aria-label="What was told again">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Asked for</Table.Th>
                <Table.Th>Events of</Table.Th>
                <Table.Th>Progress</Table.Th>
                <Table.Th ta="right">Told again</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data?.rows.map((recovery) => (
                <RecoveryLine key={recovery.id} recovery={recovery} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

const isUnderWay = ({ done_at }: Recovery) => done_at === null;

function RecoveryLine({ recovery }: { recovery: Recovery }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const mayWrite = useMay("webhooks.write");
  const { since, until, started_at, who, recovered, with_delivered } = recovery;
  const cancel = async () => {
    const after = await send<Recoveries>("POST", apiOf(`/recoveries/${recovery.id}/cancel`));
    client.setQueryData([id, "events", "recoveries"], after);
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <When ms={started_at} />
          <Text size="xs" c="dimmed">
            by {who.replace(/^(operator|key):/, "")}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <When ms={since} withSeconds /> – <When ms={until} withSeconds />
        {with_delivered && (
          <Text size="xs" c="dimmed">
            also those that were delivered
          </Text>
        )}
      </Table.Td>
      <Table.Td w={180}>
        <ProgressOf recovery={recovery} />
      </Table.Td>
      <Table.Td ta="right">{recovered.toLocaleString("en")}</Table.Td>
      <Table.Td ta="right">
        {mayWrite && isUnderWay(recovery) && (
          <Act label="Cancel" size="compact-sm" danger onAct={cancel} done="Cancelled" />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function ProgressOf({ recovery }: { recovery: Recovery }) {
  const { since, until, reached, cancelled_by } = recovery;
  if (cancelled_by !== null) {
    return <Text size="sm">Cancelled by {cancelled_by.replace("operator:", "")}</Text>;
  }
  if (!isUnderWay(recovery)) return <Text size="sm">Done</Text>;
  const percent = Math.round((100 * (reached - since)) / Math.max(1, until - since));
  return (
    <Progress.Root size="lg">
      <Progress.Section value={Math.max(percent, 3)} animated aria-label={`${percent} % done`} />
    </Progress.Root>
  );
}
