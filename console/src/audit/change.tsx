// What an act changed: the fields of before and after that differ, side by side.

import { Text } from "@mantine/core";
import type { AuditLine } from "@server/operator/audit/schema.ts";
import styles from "./audit.module.css";

type Sides = Pick<AuditLine, "before" | "after">;
type Line = { field: string; before: string | undefined; after: string | undefined };

const linesShown = 2;

/** Undefined where a side doesn't have the field. */
export function changesOf({ before, after }: Sides): Line[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((line) => line.before !== line.after);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "none";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** In a row of the list. */
export function ChangeInShort(sides: Sides) {
  const lines = changesOf(sides);
  if (lines.length === 0) return "–";
  const more = lines.length - linesShown;
  return (
    <div className={styles.short}>
      {lines.slice(0, linesShown).map((line) => (
        <div key={line.field}>
          <span className={styles.field}>{line.field}</span> <Values {...line} />
        </div>
      ))}
      {more > 0 && <span className={styles.field}>and {more} more</span>}
    </div>
  );
}

export function ChangeInFull(sides: Sides) {
  const lines = changesOf(sides);
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It tells of no field.
      </Text>
    );
  }
  return (
    <dl className={styles.full}>
      {lines.map((line) => (
        <div key={line.field}>
          <dt>{line.field}</dt>
          <dd>
            <Values {...line} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ before, after }: Line) {
  return (
    <>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
      {after !== undefined && <ins>{after}</ins>}
    </>
  );
}
