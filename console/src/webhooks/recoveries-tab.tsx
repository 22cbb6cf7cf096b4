// The resends of a period: their progress, and a button to stop each.

import { Progress, Text } from "@mantine/core";
import type { Recoveries, Recovery } from "@server/doors/console/events/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { Act } from "../parts/act.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { whoText } from "../state/who.ts";
import { webhooksTexts } from "../texts/webhooks.ts";

export function RecoveriesTab() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const mayWrite = useMay("webhooks.write");
  const list = useQuery({
    queryKey: [id, "events", "recoveries"],
    queryFn: ({ signal }) => get<Recoveries>(apiOf("/recoveries"), {}, signal),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : 10_000),
  });
  const page = onePageOf(list);
  return (
    <PageTable
      label={webhooksTexts.resends}
      columns={mayWrite ? [...columns, cancelling] : columns}
      page={page}
      rowKey={(recovery) => recovery.id}
      empty={
        <Empty
          title="No resends yet"
          hint="Use “Resend all failed” on the Events tab to resend the failed events of a period."
        />
      }
    />
  );
}

const isUnderWay = ({ done_at }: Recovery) => done_at === null;

const columns: readonly Column<Recovery>[] = [
  {
    key: "asked",
    title: "Requested",
    cell: ({ started_at, who }) => (
      <div>
        <When ms={started_at} />
        <Text size="xs" c="dimmed">
          {`by ${who.replace(/^(operator|key):/, "")}`}
        </Text>
      </div>
    ),
  },
  {
    key: "of",
    title: "Period",
    cell: ({ since, until, with_delivered }) => (
      <div>
        <When ms={since} withSeconds /> – <When ms={until} withSeconds />
        {with_delivered && (
          <Text size="xs" c="dimmed">
            including delivered events
          </Text>
        )}
      </div>
    ),
  },
  {
    key: "progress",
    title: "Progress",
    width: 180,
    cell: (recovery) => <ProgressOf recovery={recovery} />,
  },
  {
    key: "recovered",
    title: "Resent",
    align: "right",
    cell: ({ recovered }) => countText(recovered),
  },
];

const cancelling: Column<Recovery> = {
  key: "cancel",
  title: "Actions",
  align: "right",
  cell: (recovery) => (isUnderWay(recovery) ? <Cancel recovery={recovery} /> : "–"),
};

function Cancel({ recovery }: { recovery: Recovery }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const cancel = async () => {
    const after = await send<Recoveries>("POST", apiOf(`/recoveries/${recovery.id}/cancel`));
    client.setQueryData([id, "events", "recoveries"], after);
  };
  return <Act label="Stop" size="compact-sm" danger onAct={cancel} done="Resend stopped" />;
}

function ProgressOf({ recovery }: { recovery: Recovery }) {
  const { since, until, reached, cancelled_by } = recovery;
  if (cancelled_by !== null) return `Stopped by ${whoText(cancelled_by)}`;
  if (!isUnderWay(recovery)) return "Done";
  const percent = Math.round((100 * (reached - since)) / Math.max(1, until - since));
  return (
    <Progress
      size="lg"
      w={140}
      animated
      value={Math.max(percent, 3)}
      aria-label={`${percent}% done`}
    />
  );
}
