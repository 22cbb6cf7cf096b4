// Payouts in transit now, by age: held, and at the bank.

import { Table } from "@mantine/core";
import { usePageOf } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import stacked from "../parts/stacked-table.module.css";
import type { Sum } from "../state/money.ts";
import { reconcileTexts } from "../texts/reconcile.ts";
import styles from "./reconcile.module.css";
import type { ReconciledBalance } from "./reconciliation.ts";

export function Exceptions({ books: { exceptions, currency } }: { books: ReconciledBalance }) {
  const pageOf = usePageOf();
  const stageOf = (stage: string) => {
    const search = new URLSearchParams({ status: "pending", stage, currency });
    return `${pageOf("payouts")}?${search}`;
  };
  const cell = (count: number, amount: Sum, stage: string) =>
    count === 0 ? (
      "–"
    ) : (
      <PageLink to={stageOf(stage)}>
        {count} · <Money amount={amount} currency={currency} />
      </PageLink>
    );
  return (
    <Table className={`${styles.table} ${stacked.stacked}`} maw={560}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Age</Table.Th>
          <Table.Th scope="col">{reconcileTexts.held}</Table.Th>
          <Table.Th scope="col">{reconcileTexts.atTheBank}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {exceptions.map((one) => (
          <Table.Tr key={one.age}>
            <Table.Th scope="row">{one.age}</Table.Th>
            <Table.Td data-title={reconcileTexts.held}>
              {cell(one.held, one.held_amount, "queued")}
            </Table.Td>
            <Table.Td data-title={reconcileTexts.atTheBank}>
              {cell(one.clearing, one.clearing_amount, "submitted")}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
