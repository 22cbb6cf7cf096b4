// What an approver looks at first: the largest payouts of a file, and what is unusual in it.

import { Stack, Table, Text, Title } from "@mantine/core";
import type { BankBatchDetail, BatchReview, ShownFileLine } from "@server/console/banks/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { banksTexts } from "../texts/banks.ts";
import styles from "./banks.module.css";

export function BatchReviewPanel({ batch }: { batch: BankBatchDetail }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["bank-batch-review", batch.id],
    queryFn: ({ signal }) => get<BatchReview>(`/banks/batches/${batch.id}/review`, {}, signal),
    // A file never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel title={banksTexts.review}>
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
    { title: banksTexts.farAbove(median), found: review.far_above_median },
    { title: banksTexts.firstPayment, found: review.first_payment },
    { title: banksTexts.changedDetails, found: review.changed_details },
    { title: banksTexts.twice, found: review.same_account_twice },
    { title: banksTexts.sharedAccount, found: review.shared_account },
  ].filter(({ found }) => found.count > 0);
  return (
    <div className={styles.unusual}>
      <Items title={banksTexts.largest} items={review.largest} />
      {kinds.length === 0 && <Text size="sm">{banksTexts.nothingUnusual}</Text>}
      {kinds.map(({ title, found: { count, items } }) => (
        <Items key={title} title={title} count={count} items={items} />
      ))}
      {review.looked_at < batch.payouts && (
        <Text size="xs" c="dimmed">
          {banksTexts.lookedAt(countText(review.looked_at))}
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
                <Table.Td className={styles.lineNumber as string}>
                  {banksTexts.lineOf(item.line)}
                </Table.Td>
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
          {banksTexts.ofCount(items.length, countText(count))}
        </Text>
      )}
    </Stack>
  );
}
