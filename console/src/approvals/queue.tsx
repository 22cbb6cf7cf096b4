// The queue of approvals: one card for each request, with keyboard shortcuts. One card is always the current one, also on
// page load and after a decision: shortcuts act on it.

import { useHotkeys } from "@mantine/hooks";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { useRef, useState } from "react";
import { ApprovalCard, canDecline, isOnPage } from "./approval-card.tsx";
import styles from "./approvals.module.css";
import type { Decision } from "./kinds.ts";

const mayDecline = (row: Approval) => canDecline(row) && (!row.why_not || row.is_own);

const keys = [
  ["J K", "next and previous"],
  ["A", "approve"],
  ["D", "decline"],
  ["X", "select"],
] as const;

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
  const [marked, setMarked] = useState({ id: rows[0]?.id, index: 0 });
  // A decided card is gone. The card that took its place becomes the current one.
  const found = rows.findIndex(({ id }) => id === marked.id);
  const index = found >= 0 ? found : Math.min(marked.index, rows.length - 1);
  const row = rows[index];

  const mark = (next: number) => {
    const id = rows[next]?.id;
    if (id === undefined) return;
    setMarked({ id, index: next });
    list.current?.querySelector<HTMLElement>(`[data-approval="${id}"] a`)?.focus();
  };
  // While the focus is elsewhere, the first press focuses the current card.
  const move = (step: 1 | -1) => {
    const isInside = list.current?.contains(document.activeElement);
    mark(isInside ? index + step : index);
  };
  const byKey = (act: (row: Approval) => void) => (event: KeyboardEvent) => {
    if (!row || document.querySelector("[role=dialog]")) return;
    event.preventDefault();
    act(row);
  };
  // The hook ignores keys that are typed into a field.
  useHotkeys([
    ["J", byKey(() => move(1))],
    ["ArrowDown", byKey(() => move(1))],
    ["K", byKey(() => move(-1))],
    ["ArrowUp", byKey(() => move(-1))],
    [
      "A",
      byKey((row) => row.why_not || isOnPage(row) || onDecide({ act: "approve", items: [row] })),
    ],
    ["D", byKey((row) => mayDecline(row) && onDecide({ act: "decline", item: row }))],
    ["X", byKey((row) => row.kind === "payout" && !row.why_not && onChoose(row.id))],
  ]);

  return (
    <>
      <p className={styles.keys}>
        {keys.map(([key, does], index) => (
          <span key={key} aria-keyshortcuts={key}>
            {index > 0 && <span aria-hidden> · </span>}
            {key.split(" ").map((one) => (
              <kbd key={one} aria-hidden>
                {one}
              </kbd>
            ))}{" "}
            {does}
          </span>
        ))}
      </p>
      <ul ref={list} className={styles.queue} aria-label="Requests">
        {rows.map((one, at) => (
          <li key={one.id} onFocus={() => setMarked({ id: one.id, index: at })}>
            <ApprovalCard
              row={one}
              isCurrent={at === index}
              isChosen={chosen.has(one.id)}
              onChoose={() => onChoose(one.id)}
              onApprove={() => onDecide({ act: "approve", items: [one] })}
              onDecline={() => onDecide({ act: "decline", item: one })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
