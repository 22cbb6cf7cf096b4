// The audit log: actor, action, object and change of each entry. Entries are chained, so tampering is detected.

import { Group, Text, UnstyledButton } from "@mantine/core";
import type { AuditActions, AuditLine, AuditPage } from "@server/doors/console/audit/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { usePage } from "../api/page.ts";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { ListTools, SortedAmong, useShownColumns } from "../parts/list-tools.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { Screen } from "../parts/screen.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { whoText } from "../state/who.ts";
import { useZone } from "../state/zone.ts";
import { auditTexts } from "../texts/audit.ts";
import { listsTexts } from "../texts/lists.ts";
import styles from "./audit.module.css";
import { ChainNote } from "./chain-note.tsx";
import { ChangeInShort } from "./change.tsx";
import { EntryDrawer } from "./entry-drawer.tsx";
import { ObjectLink } from "./object-link.tsx";
import { actionText, objectText } from "./words.ts";

export function AuditScreen() {
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { who, action, object_id, subaccount_id, sign_ins, entry, cursor } = values;
  const query = { who, action, object_id, subaccount_id, sign_ins, ...momentsOf(values, zone) };
  const { data } = useQuery({
    queryKey: ["across", "audit", "actions"],
    queryFn: ({ signal }) => get<AuditActions>("/audit/actions", {}, signal),
    staleTime: 60_000,
  });
  const actions = (data?.actions ?? []).map((one) => ({ value: one, label: actionText(one) }));
  const sorting = useSorting("-at");
  const page = usePage<AuditLine, AuditPage>(
    ["across", "audit"],
    "/audit",
    { ...query, sort: values.sort },
    { everyMs: 15_000 },
  );
  const open = (number: number | undefined) =>
    setValues({ entry: number === undefined ? undefined : String(number), cursor });

  const filters: readonly Filter[] = [
    { name: "who", label: auditTexts.who, kind: "text", placeholder: "operator:ada@example.com" },
    {
      name: "action",
      label: auditTexts.action,
      kind: "choice",
      options: actions.toSorted((a, b) => a.label.localeCompare(b.label)),
    },
    {
      name: "sign_ins",
      label: "Sign-ins",
      kind: "choice",
      options: [{ value: "hidden", label: "hidden" }],
    },
    {
      name: "object_id",
      label: auditTexts.object,
      kind: "text",
      placeholder: "Object ID",
      isExtra: true,
    },
    {
      name: "subaccount_id",
      label: auditTexts.subaccount,
      kind: "subaccount",
      isExtra: true,
    },
    ...periodFilters,
  ];

  const columns: readonly Column<AuditLine>[] = [
    {
      key: "at",
      title: auditTexts.time,
      sort: "-at",
      phone: "lead-end",
      cell: (row) => <When ms={row.at} />,
    },
    {
      key: "who",
      title: auditTexts.who,
      sort: "who",
      phone: "sub-end",
      cell: ({ who, token }) => (
        <>
          <CutText>{whoText(who)}</CutText>
          {token !== null && (
            <Text size="xs" c="dimmed">
              {`with token ${token}`}
            </Text>
          )}
        </>
      ),
    },
    {
      key: "action",
      title: auditTexts.action,
      sort: "action",
      phone: "lead",
      cell: (row) => (
        <UnstyledButton className={styles.open} onClick={() => open(row.number)}>
          {actionText(row.action)}
        </UnstyledButton>
      ),
    },
    {
      key: "object",
      title: auditTexts.object,
      phone: "sub",
      cell: (row) => (
        <span className={styles.object}>
          {objectText(row.object_kind)} <ObjectLink of={row} short />
        </span>
      ),
    },
    { key: "change", title: "Change", cell: (row) => <ChangeInShort {...row} /> },
    {
      key: "subaccount",
      title: auditTexts.subaccount,
      cell: (row) => <SubaccountName id={row.subaccount_id} />,
    },
    {
      key: "ip",
      title: auditTexts.ipAddress,
      wideOnly: true,
      cell: (row) => row.ip || auditTexts.commandLine,
    },
  ];

  const shownColumns = useShownColumns(columns);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Screen actions={<ExportButton path="/audit.csv" query={query} />}>
      <ChainNote />
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
        <ListTools list="audit" columns={columns} sorting={sorting} />
      </Group>
      <SortedAmong answer={page.answer} rows="entries" />
      <PageTable
        label="Activity"
        columns={shownColumns}
        page={page}
        rowKey={(row) => String(row.number)}
        sorting={sorting}
        empty={
          isFiltered ? (
            <Empty title="No matching entries" hint={listsTexts.removeAFilter} />
          ) : (
            <Empty
              title="No activity yet"
              hint="Everything users do in the console and on the command line is listed here."
            />
          )
        }
      />
      <EntryDrawer number={entry} onClose={() => open(undefined)} />
    </Screen>
  );
}
