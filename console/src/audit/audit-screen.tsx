// What people did: who, what, to what, and what changed. Append only, and chained so that a change is found out.

import { UnstyledButton } from "@mantine/core";
import type { AuditLine } from "@server/console/audit/schema.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { whoText } from "../state/who.ts";
import { useZone } from "../state/zone.ts";
import styles from "./audit.module.css";
import { ChainNote } from "./chain-note.tsx";
import { ChangeInShort } from "./change.tsx";
import { EntryDrawer } from "./entry-drawer.tsx";
import { ObjectLink } from "./object-link.tsx";
import { actionText, objectText } from "./words.ts";

export function AuditScreen() {
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { who, action, object_id, subaccount_id, from, to, entry, cursor } = values;
  const query = { who, action, object_id, subaccount_id, ...momentsOf({ from, to }, zone) };
  const page = usePage<AuditLine>(["across", "audit"], "/audit", query, { everyMs: 15_000 });
  const open = (number: number | undefined) =>
    setValues({ entry: number === undefined ? undefined : String(number), cursor });

  const filters: readonly Filter[] = [
    { name: "who", label: "Who", kind: "text", placeholder: "operator:ada@example.com" },
    { name: "action", label: "Action", kind: "text", placeholder: "payout.approve" },
    { name: "object_id", label: "Object", kind: "text", placeholder: "Its id" },
    { name: "subaccount_id", label: "Subaccount", kind: "subaccount" },
    { name: "from", label: "From", kind: "day" },
    { name: "to", label: "To", kind: "day" },
  ];

  const columns: readonly Column<AuditLine>[] = [
    { key: "at", title: "When", cell: (row) => <When ms={row.at} /> },
    { key: "who", title: "Who", cell: (row) => whoText(row.who) },
    {
      ...{ key: "action", title: "Action" },
      cell: (row) => (
        <UnstyledButton className={styles.open} onClick={() => open(row.number)}>
          {actionText(row.action)}
        </UnstyledButton>
      ),
    },
    {
      ...{ key: "object", title: "Object" },
      cell: (row) => (
        <span className={styles.object}>
          {objectText(row.object_kind)} <ObjectLink of={row} short />
        </span>
      ),
    },
    { key: "change", title: "Change", cell: (row) => <ChangeInShort {...row} /> },
    {
      ...{ key: "subaccount", title: "Subaccount" },
      cell: (row) => <SubaccountName id={row.subaccount_id} />,
    },
    { key: "ip", title: "From", wideOnly: true, cell: (row) => row.ip || "command line" },
  ];

  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Screen title="Audit" actions={<ExportButton path="/audit.csv" query={query} />}>
      <ChainNote />
      <FilterBar filters={filters} value={values} onChange={setValues} />
      <PageTable
        label="What people did"
        columns={columns}
        page={page}
        rowKey={(row) => String(row.number)}
        empty={
          isFiltered ? (
            <Empty title="No entry fits these filters" />
          ) : (
            <Empty
              title="Nobody has done anything yet"
              hint="Every act of a person is written here, at the console and by command. This is one:"
              line="./disburse ledger fund --amount 100 --currency AUD --reference first --subaccount <id>"
            />
          )
        }
      />
      <EntryDrawer number={entry} onClose={() => open(undefined)} />
    </Screen>
  );
}
