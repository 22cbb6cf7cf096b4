// How much the subaccount may pay out in each currency, and from which amount on a second person has to agree.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { LimitsLine } from "@server/operator/limits/schema.ts";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { useWholeList } from "../api/whole-list.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";

export function LimitsTab() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const mayWrite = useMay("limits.write") && !is_closed;
  const [open, setOpen] = useState<LimitsLine | "new">();
  const page = useWholeList<LimitsLine>([id, "limits"], apiOf("/limits"));
  const change: Column<LimitsLine> = {
    ...{ key: "change", title: "Actions", align: "right" },
    cell: (line) => (
      <Button size="compact-sm" variant="default" onClick={() => setOpen(line)}>
        Change
      </Button>
    ),
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" maw={640}>
          Days are those of UTC. A payout above the threshold waits as “awaiting approval” until
          somebody other than its maker agrees.
        </Text>
        {mayWrite && (
          <Button leftSection={<Plus size={15} aria-hidden />} onClick={() => setOpen("new")}>
            Add a currency
          </Button>
        )}
      </Group>
      <PageTable
        label="Limits by currency"
        columns={mayWrite ? [...columns, change] : columns}
        page={page}
        rowKey={({ currency }) => currency}
        empty={
          <Empty
            title="There are no limits"
            hint="Every payout that the funds cover goes out, and none waits for a second person."
          />
        }
      />
      <LimitsDialog line={open} onClose={() => setOpen(undefined)} />
    </Stack>
  );
}

const columns: readonly Column<LimitsLine>[] = [
  { key: "currency", title: "Currency", cell: ({ currency }) => currency },
  {
    ...{ key: "payout", title: "A payout at most", align: "right" },
    cell: ({ per_payout_max, currency }) => amountOf(per_payout_max, currency, "no limit"),
  },
  {
    ...{ key: "day", title: "A day at most", align: "right" },
    cell: ({ per_day_max, currency }) => amountOf(per_day_max, currency, "no limit"),
  },
  {
    ...{ key: "approval", title: "Needs approval above", align: "right" },
    cell: ({ approval_above, currency }) => amountOf(approval_above, currency, "never"),
  },
];

function amountOf(value: number | null, currency: string, none: string) {
  return value === null ? none : <Money amount={value} currency={currency} />;
}
