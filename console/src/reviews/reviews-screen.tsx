// Identity checks, hits and payouts on hold that need a decision: the queue on the left, the case on the right.

import { Tabs } from "@mantine/core";
import { useState } from "react";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { useNow } from "../state/now.ts";
import { optionsOf } from "../state/options.ts";
import { useTab } from "../state/tab.ts";
import { spanText } from "../state/time.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import type { DecisionKind } from "./actions.ts";
import { CaseDialog } from "./case-dialog.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import {
  type AnyCase,
  type CaseKind,
  neighbourOf,
  type ReviewCase,
  useQueue,
  useReviewsCount,
} from "./review.ts";
import { ReviewPane } from "./review-pane.tsx";
import { ReviewQueue } from "./review-queue.tsx";
import styles from "./reviews.module.css";

const tabs = ["mine", "unassigned", "all", "decided"] as const;

const kinds: Record<CaseKind, string> = {
  identity: "Identity checks",
  hit: "Hits",
  hold: reviewsTexts.payoutsOnHold,
};

/** Each kind with the number of its open cases, and how long the oldest waits. */
function useQueueFilters(): readonly Filter[] {
  const { data } = useReviewsCount();
  const nowMs = useNow();
  const options = optionsOf(kinds).map((option) => {
    const { count = 0, oldest = null } =
      data?.kinds.find(({ kind }) => kind === option.value) ?? {};
    const hint = oldest === null ? "" : `${count} open, the oldest for ${spanText(nowMs - oldest)}`;
    return { ...option, hint };
  });
  return [
    { name: "kind", label: "Kind", kind: "choice", options },
    { name: "subaccount_id", label: "Subaccount", kind: "subaccount" },
  ];
}

function isCheck(one: AnyCase): one is ReviewCase {
  return one.kind === "identity";
}

export function ReviewsScreen() {
  const [values, setFilters] = useFilters();
  const { case: chosen, cursor, kind, subaccount_id } = values;
  const [tab, choose] = useTab(tabs, { usual: "all", cleared: ["case"] });
  const queue = useQueue({ tab, kind, subaccount_id, cursor });
  // The case as it was when the dialog was opened: later changes must not be decided unseen.
  const [deciding, setDeciding] = useState<{ kind: DecisionKind; of: AnyCase }>();
  const rows = queue.data?.rows ?? [];
  const open = (name: string | undefined) => setFilters({ case: name, cursor });
  const move = (step: 1 | -1) => {
    const next = neighbourOf(rows, chosen, step);
    if (next) open(next);
  };
  /** A decided case leaves the queue. On the tab of decided cases, the open one stays open. */
  const goOn = () =>
    tab === "decided"
      ? undefined
      : open(neighbourOf(rows, chosen, 1) ?? neighbourOf(rows, chosen, -1));
  const close = () => setDeciding(undefined);
  const end = () => {
    close();
    goOn();
  };
  return (
    <Screen>
      <div className={styles.tools} data-open={chosen ? true : undefined}>
        <Tabs value={tab} onChange={choose}>
          <Tabs.List>
            {tabs.map((value) => (
              <Tabs.Tab key={value} value={value}>
                {reviewsTexts[value]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <FilterBar
          filters={useQueueFilters()}
          value={values}
          onChange={(changes) => setFilters({ ...changes, case: undefined })}
        />
      </div>
      <div className={styles.split} data-open={chosen ? true : undefined}>
        <ReviewQueue
          queue={queue}
          tab={tab}
          isFiltered={kind !== undefined || subaccount_id !== undefined}
          open={chosen}
          cursor={cursor}
          onOpen={open}
          onPage={(next) => setFilters({ cursor: next, case: undefined })}
        />
        <ReviewPane
          name={chosen}
          hasRows={rows.length > 0}
          isDeciding={deciding !== undefined}
          onMove={move}
          onDecide={(kind, of) => setDeciding({ kind, of })}
          onSkipped={goOn}
          onClose={() => open(undefined)}
        />
      </div>
      <DecisionDialog
        deciding={deciding && isCheck(deciding.of) ? { ...deciding, of: deciding.of } : undefined}
        onDecided={end}
        onClose={close}
      />
      <CaseDialog
        deciding={deciding && !isCheck(deciding.of) ? { ...deciding, of: deciding.of } : undefined}
        onDecided={end}
        onAsked={close}
        onClose={close}
      />
    </Screen>
  );
}
