// Identity checks that need a manual decision: the queue on the left, the case on the right.

import { Tabs } from "@mantine/core";
import { useState } from "react";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { DecisionDialog, type DecisionKind } from "./decision-dialog.tsx";
import { neighbourOf, type ReviewCase, useQueue } from "./review.ts";
import { ReviewPane } from "./review-pane.tsx";
import { ReviewQueue } from "./review-queue.tsx";
import styles from "./reviews.module.css";

const tabs = [
  ["mine", reviewsTexts.mine],
  ["unassigned", reviewsTexts.unassigned],
  ["all", "All"],
  ["decided", reviewsTexts.decided],
] as const;

export function ReviewsScreen() {
  const [{ tab = "all", case: chosen, cursor }, setFilters] = useFilters();
  const queue = useQueue(tab, cursor);
  // The case as it was when the dialog was opened: later changes must not be decided unseen.
  const [deciding, setDeciding] = useState<{ kind: DecisionKind; of: ReviewCase }>();
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
  return (
    <Screen title={reviewsTexts.reviewQueue}>
      <Tabs
        value={tab}
        onChange={(value) =>
          setFilters({ tab: value === "all" ? undefined : (value ?? undefined), case: undefined })
        }
      >
        <Tabs.List>
          {tabs.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div className={styles.split} data-open={chosen ? true : undefined}>
        <ReviewQueue
          queue={queue}
          tab={tab}
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
        deciding={deciding}
        onDecided={() => {
          setDeciding(undefined);
          goOn();
        }}
        onClose={() => setDeciding(undefined)}
      />
    </Screen>
  );
}
