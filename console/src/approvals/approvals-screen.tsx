// Requests that need approval, oldest first or as they are sorted.

import { Group, Stack, Text } from "@mantine/core";
import type { Approval, ApprovalPage } from "@server/doors/console/approvals/schema.ts";
import { useState } from "react";
import { useCurrentSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { CardTools, SortedAmong } from "../parts/list-tools.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Pager } from "../parts/pager.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { listsTexts } from "../texts/lists.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { DecisionDialogs } from "./decision-dialogs.tsx";
import { type Decision, kinds } from "./kinds.ts";
import { Queue } from "./queue.tsx";
import { UsersToConfirm } from "./users-to-confirm.tsx";

const everyMs = 10_000;

const sorts = [
  { title: "Due", sort: "due" },
  { title: "Created", sort: "created" },
  { title: "Amount of payouts", sort: "-amount" },
];

export function ApprovalsScreen() {
  const [values, setValues] = useFilters();
  const { kind, subaccount_id, sort } = values;
  const sorting = useSorting("due");
  const page = usePage<Approval, ApprovalPage>(
    ["across", "approvals"],
    "/approvals",
    { kind, subaccount_id, sort: sort ?? "due" },
    { everyMs },
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<Decision>();
  const { rows, error, retry } = page;
  const selected = (rows ?? []).filter((row) => chosen.has(row.id) && canBeChosen(row));
  const isByAmount = sorting.value?.endsWith("amount") === true;
  const isFiltered = kind !== undefined || subaccount_id !== undefined || isByAmount;

  const filters: readonly Filter[] = [
    {
      name: "kind",
      label: "Type",
      kind: "choice",
      options: Object.entries(kinds).map(([value, { label }]) => ({ value, label })),
    },
    { name: "subaccount_id", label: "Subaccount", kind: "subaccount" },
  ];

  return (
    <Screen>
      <Text size="sm" c="dimmed" maw={720}>
        Everything that waits for a user other than its maker. In a test subaccount its maker may
        decide too, unless “Practise with a second user” is on. Bank files come first, by their
        cut-off.
      </Text>
      <UsersToConfirm />
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
        <CardTools list="approvals" sorts={sorts} sorting={sorting} />
      </Group>
      {isByAmount && (
        <Text size="sm" role="status">
          Only payouts have amounts: other requests are not in this list.
        </Text>
      )}
      <SortedAmong answer={page.answer} rows="payouts" />
      {rows && rows.length > 0 && (
        <BulkBar
          selectable={rows.filter(canBeChosen)}
          selected={selected}
          onSelect={(ids) => setChosen(new Set(ids))}
          onApprove={(items) => setDecision({ act: "approve", items })}
        />
      )}
      {error && !rows ? (
        <Problem error={error} onRetry={retry} />
      ) : !rows ? (
        <PageLoading />
      ) : rows.length === 0 ? (
        <Panel>
          <NothingWaits isFiltered={isFiltered} />
        </Panel>
      ) : (
        <Stack gap="sm">
          <Queue
            rows={rows}
            chosen={chosen}
            onChoose={(id) => setChosen(toggled(chosen, id))}
            onDecide={setDecision}
          />
          <Pager page={page} />
        </Stack>
      )}
      <DecisionDialogs
        decision={decision}
        onClose={() => setDecision(undefined)}
        onDone={(decided) => {
          const gone = new Set(decided.map(({ id }) => id));
          setChosen(new Set([...chosen].filter((id) => !gone.has(id))));
        }}
      />
    </Screen>
  );
}

/** Only payouts can be approved in bulk: their totals show what is approved. */
function canBeChosen({ kind, why_not }: Approval): boolean {
  return kind === "payout" && !why_not;
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(id)) after.add(id);
  return after;
}

function NothingWaits({ isFiltered }: { isFiltered: boolean }) {
  const subaccount = useCurrentSubaccount();
  if (isFiltered) return <Empty title="No matching approvals" hint={listsTexts.removeAFilter} />;
  return (
    <Empty
      title="Nothing to approve"
      hint="The limits of each subaccount set the amount above which a payout needs approval."
      action={
        subaccount && (
          <PageLink to={`/s/${subaccount.id}/settings?tab=limits`}>
            {`Limits of ${subaccount.name}`}
          </PageLink>
        )
      }
    />
  );
}
