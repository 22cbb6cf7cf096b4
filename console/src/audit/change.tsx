// The fields that an action changed, before and after.

import { Text } from "@mantine/core";
import type { AuditLine } from "@server/doors/console/audit/schema.ts";
import { moneyText } from "../state/money.ts";
import { secondsText } from "../state/time.ts";
import { useZone, type Zone } from "../state/zone.ts";
import styles from "./audit.module.css";

type Sides = Pick<AuditLine, "before" | "after" | "object_kind" | "object_id">;
type Line = { field: string; before: string | undefined; after: string | undefined };

const linesShown = 2;

/** Undefined where a side doesn't have the field. */
function changesOf(sides: Sides, zone: Zone): Line[] {
  const { before, after } = sides;
  const currency = currencyOf(sides);
  const shown = (field: string, value: unknown) => {
    if (typeof value !== "number") return textOf(value);
    if (currency && amounts.has(field)) return moneyText(value, currency);
    return field.endsWith("_at") ? secondsText(value, Date.now(), zone) : textOf(value);
  };
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({
      field,
      before: shown(field, before[field]),
      after: shown(field, after[field]),
    }))
    .filter((line) => line.before !== line.after);
}

/** In minor units, which mean nothing without their currency. */
const amounts = new Set([
  "amount",
  "per_payout_max",
  "per_day_max",
  "approval_above",
  "batch_approval_above",
  "receiver_day_approval_above",
  "account_day_approval_above",
]);

function currencyOf({ before, after, object_kind, object_id }: Sides): string | undefined {
  const currency = after.currency ?? before.currency;
  if (typeof currency === "string") return currency;
  return object_kind === "limit" ? object_id : undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "none";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** In a row of the list. */
export function ChangeInShort(sides: Sides) {
  // Ids say little to the eye; they are in the entry.
  const lines = changesOf(sides, useZone()).filter(({ field }) => !field.endsWith("_id"));
  if (lines.length === 0) return "–";
  const more = lines.length - linesShown;
  return (
    <div className={styles.short}>
      {lines.slice(0, linesShown).map((line) => (
        <div key={line.field}>
          <span className={styles.field}>{inWords(line.field)}</span> <Values {...line} />
        </div>
      ))}
      {more > 0 && <span className={styles.field}>{`and ${more} more`}</span>}
    </div>
  );
}

export function ChangeInFull(sides: Sides) {
  const lines = changesOf(sides, useZone());
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No field changes.
      </Text>
    );
  }
  return (
    <dl className={styles.full}>
      {lines.map((line) => (
        <div key={line.field}>
          <dt>{inWords(line.field)}</dt>
          <dd>
            <Values {...line} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function inWords(field: string): string {
  return field.replaceAll("_", " ");
}

function Values({ before, after }: Line) {
  return (
    <>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && " to "}
      {after !== undefined && <ins>{after}</ins>}
    </>
  );
}
