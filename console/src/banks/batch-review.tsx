// What an approver looks at first: the largest payouts of a file, and what is unusual in it.

import { Stack, Table, Text, Title } from "@mantine/core";
import type {
  BankBatchDetail,
  BatchReview,
  ShownFileLine,
} from "@server/doors/console/banks/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import styles from "./banks.module.css";

export function BatchReviewPanel({ batch }: { batch: BankBatchDetail }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["bank-batch-review", batch.id],
    queryFn: ({ signal }) => get<BatchReview>(`/banks/batches/${batch.id}/review`, {}, signal),
    // A file never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel title="Review">
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Findings review={data} batch={batch} />
      ) : (
        <PageLoading />
      )}
    </Panel>
  );
}

function Findings({ review, batch }: { review: BatchReview; batch: BankBatchDetail }) {
  const median = moneyText(review.median, batch.currency);
  const kinds = [
    { title: `At least 10 times the median (${median})`, found: review.far_above_median },
    { title: "First payment to this account", found: review.first_payment },
    { title: "Bank details changed, nothing paid to them yet", found: review.changed_details },
    { title: "Account with several payouts in this file", found: review.same_account_twice },
    { title: "One bank account under several receivers", found: review.shared_account },
  ].filter(({ found }) => found.count > 0);
  return (
    <div className={styles.unusual}>
      <Items title="Largest payouts" items={review.largest} />
      {kinds.length === 0 && <Text size="sm">Nothing unusual was found.</Text>}
      {kinds.map(({ title, found: { count, items } }) => (
        <Items key={title} title={title} count={count} items={items} />
      ))}
      {review.looked_at < batch.payouts && (
        <Text size="xs" c="dimmed">
          {`Compared: the ${countText(review.looked_at)} largest payouts of this file.`}
        </Text>
      )}
    </div>
  );
}

function Items({
  title,
  count,
  items,
}: {
  title: string;
  /** Undefined: these are all. */
  count?: number;
  items: readonly ShownFileLine[];
}) {
  const heading = count === undefined ? title : `${title}: ${countText(count)}`;
  return (
    <Stack gap={4}>
      <Title order={3} fz="sm">
        {heading}
      </Title>
      <div className={styles.items}>
        <Table fz="xs" aria-label={heading}>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.line}>
                <Table.Td className={styles.lineNumber as string}>{`line ${item.line}`}</Table.Td>
                <Table.Td>
                  <PageLink to={`/s/${item.subaccount_id}/payouts/${item.payout_id}`}>
                    {item.receiver_name}
                  </PageLink>
                </Table.Td>
                <Table.Td className={styles.account as string}>{item.account}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={item.amount} currency={item.currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {count !== undefined && count > items.length && (
        <Text size="xs" c="dimmed">
          {`The ${items.length} largest of ${countText(count)}`}
        </Text>
      )}
    </Stack>
  );
}
