// The queue itself: one card for each thing that waits, and keys to get through it without a mouse.

import type { Approval } from "@server/operator/approvals/schema.ts";
import { type KeyboardEvent, useRef } from "react";
import { ApprovalCard } from "./approval-card.tsx";
import styles from "./approvals.module.css";
import type { Decision } from "./decision-dialogs.tsx";

export function Queue({
  rows,
  chosen,
  onChoose,
  onDecide,
}: {
  rows: readonly Approval[];
  chosen: ReadonlySet<string>;
  onChoose: (id: string) => void;
  onDecide: (decision: Decision) => void;
}) {
  const list = useRef<HTMLUListElement>(null);

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const card = (event.target as HTMLElement).closest<HTMLElement>("[data-approval]");
    const row = rows.find(({ id }) => id === card?.dataset.approval);
    if (!card || !row) return;
    const beside = (step: -1 | 1) => {
      const cards = [...(list.current?.querySelectorAll<HTMLElement>("[data-approval]") ?? [])];
      cards[cards.indexOf(card) + step]?.querySelector("a")?.focus();
    };
    const acts: Record<string, () => void> = {
      j: () => beside(1),
      ArrowDown: () => beside(1),
      k: () => beside(-1),
      ArrowUp: () => beside(-1),
      a: () => row.is_own || onDecide({ act: "approve", items: [row] }),
      d: () => onDecide({ act: "decline", item: row }),
      x: () => row.kind === "payout" && !row.is_own && onChoose(row.id),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <>
      <p className={styles.keys}>
        <kbd>J</kbd> <kbd>K</kbd> next and previous · <kbd>A</kbd> approve · <kbd>D</kbd> decline ·{" "}
        <kbd>X</kbd> select
      </p>
      <ul ref={list} className={styles.queue} aria-label="What waits" onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <li key={row.id}>
            <ApprovalCard
              row={row}
              isChosen={chosen.has(row.id)}
              onChoose={() => onChoose(row.id)}
              onApprove={() => onDecide({ act: "approve", items: [row] })}
              onDecline={() => onDecide({ act: "decline", item: row })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
