// What waits for a second person: payouts above their threshold and changes of bank details, the oldest first.

import { Stack, Text } from "@mantine/core";
import type { Approval } from "@server/console/approvals/schema.ts";
import { useState } from "react";
import { useCurrentSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { type Decision, DecisionDialogs } from "./decision-dialogs.tsx";
import { Pages } from "./pages.tsx";
import { Queue } from "./queue.tsx";

const everyMs = 10_000;

export function ApprovalsScreen() {
  const [values, setValues] = useFilters();
  const { kind, subaccount_id } = values;
  const page = usePage<Approval>(
    ["across", "approvals"],
    "/approvals",
    { kind, subaccount_id },
    { everyMs },
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<Decision>();
  const { rows, error, retry } = page;
  const selected = (rows ?? []).filter((row) => chosen.has(row.id) && canBeChosen(row));
  const isFiltered = kind !== undefined || subaccount_id !== undefined;

  const filters: readonly Filter[] = [
    {
      ...{ name: "kind", label: "Kind", kind: "choice" },
      options: [
        { value: "payout", label: "Payout" },
        { value: "bank_change", label: "Bank details" },
        { value: "key", label: "Key" },
        { value: "limits", label: "Limits" },
      ],
    },
    { name: "subaccount_id", label: "Subaccount", kind: "subaccount" },
  ];

  return (
    <Screen title="Approvals">
      <Text size="sm" c="dimmed" maw={720}>
        Payouts above a threshold, changes of bank details, keys that may pay out and looser limits
        need approval by someone other than the requester.
      </Text>
      <FilterBar filters={filters} value={values} onChange={setValues} />
      {rows && rows.length > 0 && (
        <BulkBar
          selectable={rows.filter(canBeChosen)}
          selected={selected}
          onSelect={(ids) => setChosen(new Set(ids))}
          onApprove={() => setDecision({ act: "approve", items: selected })}
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
          <Pages page={page} />
        </Stack>
      )}
      <DecisionDialogs
        decision={decision}
        onClose={() => setDecision(undefined)}
        onDone={() => setChosen(new Set())}
      />
    </Screen>
  );
}

/** Many are approved at once only where a list of totals says what it means. */
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
  if (isFiltered) return <Empty title="No matching approvals" />;
  return (
    <Empty
      title="Nothing to approve"
      hint="Each subaccount's limits say from which amount on a payout needs approval."
      action={
        subaccount && (
          <PageLink to={`/s/${subaccount.id}/settings?tab=limits`}>
            Limits of {subaccount.name}
          </PageLink>
        )
      }
    />
  );
}
