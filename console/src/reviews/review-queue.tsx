// The left side: who waits, the longest first, and who is at it; or what was decided, newest first.

import { Button, Group, Skeleton, Text } from "@mantine/core";
import type { ReviewsPage } from "@server/console/reviews/schema.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { caseName, type ReviewLine } from "./review.ts";
import styles from "./reviews.module.css";
import { Waited } from "./waited.tsx";

const emptyTitles: Record<string, string> = {
  all: "Nobody waits",
  mine: "You have taken no case",
  unassigned: "Every case is taken",
  decided: "Nothing has been decided yet",
};

const whys: Record<string, string> = {
  on_hold: "The check put it on hold",
  approved_after_rejection: "The check approves whom it had rejected",
  asked_for_more: "Was asked for more",
};

export function ReviewQueue({
  queue,
  tab,
  open,
  cursor,
  onOpen,
  onPage,
}: {
  queue: UseQueryResult<ReviewsPage>;
  tab: string;
  open: string | undefined;
  cursor: string | undefined;
  onOpen: (name: string) => void;
  onPage: (cursor: string | undefined) => void;
}) {
  const { data, error, refetch } = queue;
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <nav className={styles.queue} aria-label="Cases" aria-busy={!data}>
      {!data && [0, 1, 2, 3].map((line) => <Skeleton key={line} height={44} m={12} />)}
      {data?.rows.length === 0 && (
        <Empty
          title={emptyTitles[tab] ?? "Nobody waits"}
          hint={
            tab === "all" && "Checks that a person decides, and those that ask for one, come here."
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
      {(data?.next || cursor) && (
        <Group justify="space-between" p="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={!cursor}
            onClick={() => onPage(undefined)}
          >
            To the first
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!data?.next}
            onClick={() => onPage(data?.next ?? undefined)}
          >
            More
          </Button>
        </Group>
      )}
    </nav>
  );
}

function Line({ row }: { row: ReviewLine }) {
  const { name, subaccount, country, decision, claim, approvals, why } = row;
  const where = [subaccount.name, country];
  return (
    <>
      <span className={styles.lineHead}>
        <Text component="span" size="sm" fw={600} truncate>
          {name}
        </Text>
        {decision ? (
          <Status of="report" value={decision.outcome} />
        ) : (
          <Waited since={row.since} urgency={row.urgency} />
        )}
      </span>
      <span className={styles.lineHead}>
        <Text component="span" size="xs" c="dimmed" truncate>
          {where.filter(Boolean).join(" · ")}
        </Text>
        <Status of="mode" value={subaccount.mode} />
      </span>
      {decision && (
        <Text component="span" size="xs" c="dimmed" truncate>
          <When ms={decision.at} /> by {decision.who.replace(/^operator:/, "")}
        </Text>
      )}
      {!decision && (claim || approvals > 0 || whys[why]) && (
        <Text component="span" size="xs" truncate>
          {[
            claim && (claim.is_mine ? "Yours" : `${claim.who.replace(/^operator:/, "")} is at it`),
            approvals > 0 && "Approved once, needs a second",
            whys[why],
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
    </>
  );
}
