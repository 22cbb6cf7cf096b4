// A month of the ledger, with buttons to the months beside it.

import { ActionIcon, Group, TextInput } from "@mantine/core";
import { monthOf, monthsLater } from "../state/months.ts";
import { ChevronLeft, ChevronRight } from "./icons.tsx";

export function MonthField({
  month: chosen,
  last,
  onChange,
}: {
  /** Undefined: the current one. */
  month: string | undefined;
  /** Undefined: there is none after the current one. */
  last?: string;
  onChange: (month: string | undefined) => void;
}) {
  const current = monthOf(Date.now());
  const month = chosen || current;
  const latest = last ?? current;
  const choose = (to: string) => onChange(to === current ? undefined : to);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Previous month"
        onClick={() => choose(monthsLater(month, -1))}
      >
        <ChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <TextInput
        type="month"
        size="xs"
        w={150}
        aria-label="Month"
        value={month}
        max={latest}
        onChange={({ currentTarget: { value } }) => value && choose(value)}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Next month"
        disabled={month >= latest}
        onClick={() => choose(monthsLater(month, 1))}
      >
        <ChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
