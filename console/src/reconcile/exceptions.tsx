// Payouts that are under way now, by how long they have been: what is held, and what is at the bank.

import { Table } from "@mantine/core";
import { usePageOf } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import type { Sum } from "../state/money.ts";
import styles from "./reconcile.module.css";
import type { ReconciledPurse } from "./reconciliation.ts";

export function Exceptions({ purse: { exceptions, currency } }: { purse: ReconciledPurse }) {
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
    <Table className={styles.table ?? ""} maw={560}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Age</Table.Th>
          <Table.Th scope="col">Held</Table.Th>
          <Table.Th scope="col">At the bank</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {exceptions.map((one) => (
          <Table.Tr key={one.age}>
            <Table.Th scope="row">{one.age}</Table.Th>
            <Table.Td>{cell(one.held, one.held_amount, "queued")}</Table.Td>
            <Table.Td>{cell(one.clearing, one.clearing_amount, "submitted")}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
