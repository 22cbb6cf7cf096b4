// Selects several payouts to approve at once, and shows their totals. Real money and test money are approved apart.

import { Button, Checkbox, Group, Text } from "@mantine/core";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { CheckCheck } from "../parts/icons.tsx";
import { statusLook } from "../parts/status-looks.ts";
import { moneyText } from "../state/money.ts";
import { approvalsTexts } from "../texts/approvals.ts";
import styles from "./approvals.module.css";
import { totalsOf } from "./totals.ts";

export function BulkBar({
  selectable,
  selected,
  onSelect,
  onApprove,
}: {
  selectable: readonly Approval[];
  selected: readonly Approval[];
  onSelect: (ids: string[]) => void;
  onApprove: (items: readonly Approval[]) => void;
}) {
  if (selectable.length === 0) return null;
  const isAll = selected.length === selectable.length;
  const modes = ["live", "test"]
    .map((mode) => ({ mode, rows: selected.filter((row) => row.mode === mode) }))
    .filter(({ rows }) => rows.length > 0);
  const isMixed = modes.length > 1;
  const totals = totalsOf(selected).map(
    ({ mode, amount, currency }) =>
      `${moneyText(amount, currency)} (${statusLook("mode", mode).word.toLowerCase()})`,
  );
  return (
    <Group justify="space-between" gap="sm" className={styles.bulk}>
      <Group gap="md">
        <Checkbox
          size="sm"
          label="Select all payouts shown"
          checked={isAll}
          indeterminate={selected.length > 0 && !isAll}
          onChange={() => onSelect(isAll ? [] : selectable.map(({ id }) => id))}
        />
        <Text size="sm" aria-live="polite">
          {selected.length > 0 && (
            <>
              <strong>{selected.length}</strong> selected: {totals.join(approvalsTexts.and)}
            </>
          )}
        </Text>
      </Group>
      <Group gap="xs">
        {isMixed ? (
          modes.map(({ mode, rows }) => (
            <Button
              key={mode}
              variant={mode === "live" ? "filled" : "default"}
              leftSection={<CheckCheck size={15} aria-hidden />}
              onClick={() => onApprove(rows)}
            >
              {`Approve ${rows.length} ${mode} ${rows.length === 1 ? "payout" : "payouts"}…`}
            </Button>
          ))
        ) : (
          <Button
            disabled={selected.length === 0}
            leftSection={<CheckCheck size={15} aria-hidden />}
            onClick={() => onApprove(selected)}
          >
            Approve selected…
          </Button>
        )}
      </Group>
      {isMixed && (
        <Text size="sm" role="status" w="100%">
          Live and test payouts are approved separately.
        </Text>
      )}
    </Group>
  );
}
