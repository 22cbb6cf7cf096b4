// The left side of the review queue: open cases, oldest first, or decided ones, newest first.

import { Skeleton, Text } from "@mantine/core";
import type { ReviewsPage } from "@server/doors/review-list/schema.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { Empty } from "../parts/empty.tsx";
import { CirclePause, type Icon, ListFilter, ScanFace } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { Pager } from "../parts/pager.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { listText } from "../texts/screening.ts";
import { percent } from "./case-parts.tsx";
import { type CaseKind, caseName, type ReviewLine } from "./review.ts";
import styles from "./reviews.module.css";
import { Waited } from "./waited.tsx";

const emptyTitles: Record<string, string> = {
  all: reviewsTexts.queueIsEmpty,
  mine: "Nothing assigned to you",
  unassigned: "All cases are assigned",
  decided: "No decisions yet",
};

const whys: Record<string, string> = {
  on_hold: "Provider put it on hold",
  approved_after_rejection: "Provider reversed a rejection",
  asked_for_more: "Info requested",
};

export function ReviewQueue({
  queue,
  tab,
  isFiltered,
  open,
  cursor,
  onOpen,
  onPage,
}: {
  queue: UseQueryResult<ReviewsPage>;
  tab: string;
  isFiltered: boolean;
  open: string | undefined;
  cursor: string | undefined;
  onOpen: (name: string) => void;
  onPage: (cursor: string | undefined) => void;
}) {
  const { data, error, refetch } = queue;
  const next = data?.next;
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <nav className={styles.queue} aria-label={reviewsTexts.cases} aria-busy={!data}>
      {!data && [0, 1, 2, 3].map((line) => <Skeleton key={line} height={44} m={12} />)}
      {data?.rows.length === 0 && (
        <Empty
          title={
            isFiltered
              ? "No cases match the filters"
              : (emptyTitles[tab] ?? reviewsTexts.queueIsEmpty)
          }
          hint={
            tab === "all" &&
            !isFiltered &&
            "Identity checks, hits and payouts on hold that need a decision appear here."
          }
        />
      )}
      <ul className={styles.cases}>
        {data?.rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className={styles.case}
              aria-current={caseName(row) === open ? "true" : undefined}
              onClick={() => onOpen(caseName(row))}
            >
              <Line row={row} />
            </button>
          </li>
        ))}
      </ul>
      <Pager
        page={{
          onPrevious: cursor ? () => onPage(undefined) : undefined,
          onNext: next ? () => onPage(next) : undefined,
        }}
        className={styles.pager}
      />
    </nav>
  );
}

const outcomeLooks = { identity: "report", hit: "hit", hold: "hold" } as const;
const icons: Record<CaseKind, Icon> = {
  identity: ScanFace,
  hit: ListFilter,
  hold: CirclePause,
};
const kindWords: Record<CaseKind, string> = {
  identity: "Identity check",
  hit: "Hit",
  hold: "Payout on hold",
};

/** What the case is about, in a few words. */
function What({ row: { kind, hit, hold } }: { row: ReviewLine }) {
  const Icon = icons[kind];
  return (
    <Text component="span" size="xs" className={styles.what as string}>
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      <span>
        {kindWords[kind]}
        {hit && `: ${hit.listed_name || listText(hit.list)}, ${percent(hit.score)}`}
        {hit && hit.entries > 1 && ` and ${hit.entries - 1} more`}
        {hold && ": "}
        {hold && <Money amount={hold.amount} currency={hold.currency} />}
      </span>
    </Text>
  );
}

function Line({ row }: { row: ReviewLine }) {
  const { kind, name, subaccount, country, decision, claim, approvals, why } = row;
  const where = [subaccount.name, country];
  return (
    <>
      <span className={styles.lineHead}>
        <Text component="span" size="sm" fw={600} truncate>
          {name}
        </Text>
        {decision ? (
          <Status of={outcomeLooks[kind]} value={decision.outcome} />
        ) : (
          <Waited since={row.since} urgency={row.urgency} />
        )}
      </span>
      <What row={row} />
      <span className={styles.lineHead}>
        <Text component="span" size="xs" c="dimmed" truncate>
          {where.filter(Boolean).join(" · ")}
        </Text>
        <Status of="mode" value={subaccount.mode} />
      </span>
      {decision && (
        <Text component="span" size="xs" c="dimmed" truncate>
          <WhenBy ms={decision.at} who={whoText(decision.who)} />
        </Text>
      )}
      {!decision && (claim || approvals > 0 || whys[why]) && (
        <Text component="span" size="xs" truncate>
          {[
            claim && (claim.is_mine ? "Assigned to you" : `Assigned to ${whoText(claim.who)}`),
            approvals > 0 && reviewsTexts.needsASecondReviewer,
            whys[why],
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
    </>
  );
}
