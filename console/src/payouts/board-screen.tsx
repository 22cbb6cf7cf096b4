// The pipeline: what is on hold, awaits approval, is queued or at the bank, and what ended, with counts and sums.

import { SegmentedControl, Text } from "@mantine/core";
import type { BoardColumn, PayoutBoard } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { useNow } from "../state/now.ts";
import { spanText } from "../state/time.ts";
import { timeZoneOf, useZone } from "../state/zone.ts";
import { boardTexts } from "../texts/board.ts";
import styles from "./board.module.css";
import { PayoutViews } from "./payout-views.tsx";

const ranges = { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" } as const;

type Key =
  | "on_hold"
  | "awaiting_approval"
  | "queued"
  | "at_bank"
  | "settled"
  | "failed"
  | "returned";
type Range = keyof typeof ranges;
const tones: Record<Key, string> = {
  on_hold: "warning",
  awaiting_approval: "warning",
  queued: "waiting",
  at_bank: "waiting",
  settled: "good",
  failed: "bad",
  returned: "bad",
};
const endedKeys: readonly string[] = ["settled", "failed", "returned"];

export function BoardScreen() {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/board");
  const zone = useZone();
  const [{ range = "7d" }, setFilters] = useFilters();
  const time_zone = timeZoneOf(zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { range, time_zone };
  const { data, error, refetch } = useQuery({
    queryKey: [id, "payouts", "board", query],
    queryFn: ({ signal }) => get<PayoutBoard>(path, query, signal),
  });
  const rangeText = ranges[range as Range] ?? range;
  return (
    <Screen title="Payouts" actions={<PayoutViews shown="board" />}>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <PageLoading />
      ) : (
        <>
          <Columns board={data} title="Now" isEnded={false} />
          <Columns board={data} title={`Created in the last ${rangeText}`} isEnded>
            <SegmentedControl
              size="xs"
              aria-label="Time range"
              value={range}
              onChange={(chosen) => setFilters({ range: chosen === "7d" ? undefined : chosen })}
              data={Object.keys(ranges)}
            />
          </Columns>
          {data.is_behind && (
            <Text size="sm" c="dimmed">
              Figures of the time range are being added up and are not complete yet.
            </Text>
          )}
          <Text size="xs" c="dimmed">
            Sums are what goes to the bank. Successful, failed and returned payouts are those that
            were created in the time range.
          </Text>
        </>
      )}
    </Screen>
  );
}

function Columns({
  board,
  title,
  isEnded,
  children,
}: {
  board: PayoutBoard;
  title: string;
  isEnded: boolean;
  children?: ReactNode;
}) {
  const shown = board.columns.filter(({ key }) => endedKeys.includes(key) === isEnded);
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {children}
      </div>
      <ul className={styles.columns} data-ended={isEnded || undefined}>
        {shown.map((column) => (
          <li key={column.key}>
            <Column column={column} board={board} isEnded={isEnded} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Column({
  column: { key, stages, count, sums, oldest_at },
  board: { from, to, most },
  isEnded,
}: {
  column: BoardColumn;
  board: PayoutBoard;
  isEnded: boolean;
}) {
  const pageOf = usePageOf();
  const nowMs = useNow();
  const title = boardTexts[key as Key];
  const isMore = !isEnded && count > most;
  const shown = isMore ? `${countText(most)}+` : countText(count);
  const search = new URLSearchParams({ stage: stages.join() });
  if (isEnded) {
    search.set("from", String(from));
    search.set("to", String(to));
  } else search.set("sort", "created");
  return (
    <PageLink
      to={`${pageOf("payouts")}?${search}`}
      className={styles.column}
      data-tone={count === 0 ? "quiet" : tones[key as Key]}
    >
      <span className={styles.name}>{title}</span>
      <span className={styles.count}>{shown}</span>
      <span className={styles.sums}>
        {sums.map(({ currency, amount }) =>
          amount === null ? (
            <span key={currency}>{`${currency}: too many to add up`}</span>
          ) : (
            <Money key={currency} amount={amount} currency={currency} />
          ),
        )}
        {count === 0 && "None"}
      </span>
      <span className={styles.oldest}>
        {oldest_at !== null && `Oldest: ${spanText(nowMs - oldest_at)}`}
      </span>
    </PageLink>
  );
}
