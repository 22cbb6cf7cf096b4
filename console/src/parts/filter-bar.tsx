// Filters as pills: each shows its label and, when set, its value with a cross to remove it.

import {
  Button,
  CloseButton,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useFoundReceivers, usePayee } from "../api/receivers.ts";
import { useFoundSubaccounts, useSubaccountOf } from "../api/subaccounts.ts";
import type { Filters } from "../state/filters.ts";
import { withoutOtherDays } from "../state/period.ts";
import { partsTexts } from "../texts/parts.ts";
import styles from "./filter-bar.module.css";
import { Check, ListFilter, Plus } from "./icons.tsx";
import { Marked } from "./marked.tsx";

export type FilterOption = { value: string; label: string; hint?: string };

export type Filter = {
  name: string;
  label: string;
  /** Shown while it is set, and on request. */
  isExtra?: boolean;
} & (
  | { kind: "choice"; options: readonly FilterOption[] }
  | { kind: "subaccount" }
  | { kind: "receiver" }
  | {
      kind: "text" | "day" | "number";
      placeholder?: string;
      /** The error of a typed text. Undefined: none. */
      problemOf?: (text: string) => string | undefined;
    }
);

export function FilterBar({
  filters,
  value,
  onChange,
}: {
  filters: readonly Filter[];
  value: Filters;
  /** An undefined value removes the filter. */
  onChange: (changes: Record<string, string | undefined>) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [hasExtra, setExtra] = useState(false);
  const shown = filters.filter(({ name, isExtra }) => hasExtra || !isExtra || value[name]);
  const set = filters.filter(({ name }) => value[name]);
  return (
    <Group
      gap={6}
      role="group"
      aria-label={partsTexts.filters}
      className={styles.bar}
      data-open={isOpen || undefined}
    >
      <UnstyledButton
        className={styles.toggle}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ListFilter size={14} aria-hidden />
        {isOpen ? "Fewer filters" : partsTexts.filters}
      </UnstyledButton>
      {shown.map((filter) => (
        <FilterPill
          key={filter.name}
          filter={filter}
          value={value[filter.name]}
          onChange={(chosen) =>
            onChange({ [filter.name]: chosen, ...withoutOtherDays(filter.name, chosen) })
          }
        />
      ))}
      {shown.length < filters.length && (
        <UnstyledButton className={styles.more} onClick={() => setExtra(true)}>
          {partsTexts.moreFilters}
        </UnstyledButton>
      )}
      {set.length > 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => onChange(Object.fromEntries(set.map(({ name }) => [name, undefined])))}
        >
          Clear all
        </Button>
      )}
    </Group>
  );
}

type PillProps = {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

function FilterPill({ filter, value, onChange }: PillProps) {
  const [isOpen, setOpen] = useState(false);
  const choose = (chosen: string | undefined) => {
    setOpen(false);
    if (chosen !== value) onChange(chosen);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      offset={4}
    >
      <span className={styles.pill} data-set={value ? true : undefined}>
        <Popover.Target>
          <UnstyledButton
            className={styles.name}
            onClick={() => setOpen(!isOpen)}
            aria-expanded={isOpen}
          >
            {!value && <Plus size={13} aria-hidden />}
            {filter.label}
            {value && (
              <strong className={styles.value}>
                <ValueText filter={filter} value={value} />
              </strong>
            )}
          </UnstyledButton>
        </Popover.Target>
        {value && (
          <CloseButton
            size="xs"
            aria-label={`Remove filter ${filter.label}`}
            onClick={() => choose(undefined)}
          />
        )}
      </span>
      <Popover.Dropdown p={6}>
        {filter.kind === "choice" ? (
          <Choices options={filter.options} value={value} onChoose={choose} />
        ) : filter.kind === "subaccount" ? (
          <SubaccountChoices value={value} onChoose={choose} />
        ) : filter.kind === "receiver" ? (
          <ReceiverChoices value={value} onChoose={choose} />
        ) : (
          <Typed filter={filter} value={value} onChoose={choose} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({
  options,
  value,
  onChoose,
}: {
  options: readonly FilterOption[];
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  return (
    <Stack gap={0} className={styles.choices}>
      {options.map((option) => (
        <UnstyledButton
          key={option.value}
          className={styles.choice}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          <span>{option.label}</span>
          {option.hint && <span className={styles.hint}>{option.hint}</span>}
          {option.value === value && <Check size={14} aria-hidden />}
        </UnstyledButton>
      ))}
    </Stack>
  );
}

function SubaccountChoices({
  value,
  onChoose,
}: {
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  const [text, setText] = useState("");
  const { rows, hasMore, isLoading } = useFoundSubaccounts(text);
  const options = rows.map(({ id, name, mode }) => ({
    value: id,
    label: name,
    hint: mode === "test" ? partsTexts.testModeInText : "live",
  }));
  return (
    <Stack gap={6}>
      <TextInput
        aria-label="Search subaccounts"
        placeholder="Name or ID"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Choices options={options} value={value} onChoose={onChoose} />
      {rows.length === 0 && (
        <Text size="xs" c="dimmed">
          {isLoading ? partsTexts.loading : partsTexts.noMatch}
        </Text>
      )}
      {hasMore && (
        <Text size="xs" c="dimmed">
          More results: type the start of the name or ID
        </Text>
      )}
    </Stack>
  );
}

function ReceiverChoices({
  value,
  onChoose,
}: {
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  const [text, setText] = useState("");
  const { rows, isLoading } = useFoundReceivers(text);
  return (
    <Stack gap={6}>
      <TextInput
        aria-label="Search receivers"
        placeholder="Name, email, reference or ID"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Stack gap={0} className={styles.choices}>
        {rows.map(({ id, name, detail, name_marks, detail_marks }) => (
          <UnstyledButton
            key={id}
            className={styles.choice}
            aria-pressed={id === value}
            onClick={() => onChoose(id)}
          >
            <span dir="auto">
              <Marked text={name} marks={name_marks} />
            </span>
            <span className={styles.hint}>
              <Marked text={detail} marks={detail_marks} />
            </span>
            {id === value && <Check size={14} aria-hidden />}
          </UnstyledButton>
        ))}
      </Stack>
      {rows.length === 0 && (
        <Text size="xs" c="dimmed">
          {isLoading ? partsTexts.loading : partsTexts.noMatch}
        </Text>
      )}
    </Stack>
  );
}

function Typed({
  filter,
  value,
  onChoose,
}: {
  filter: Exclude<Filter, { kind: "choice" | "subaccount" | "receiver" }>;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? "");
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    const found = typed === "" ? undefined : filter.problemOf?.(typed);
    setProblem(found);
    if (!found) onChoose(typed || undefined);
  };
  return (
    <form onSubmit={submit}>
      <Group gap={6} align={problem ? "center" : "flex-end"} p={4}>
        <TextInput
          error={problem}
          maw={260}
          label={filter.label}
          type={filter.kind === "day" ? "date" : "text"}
          {...(filter.kind === "number" ? { inputMode: "decimal" } : {})}
          placeholder={filter.placeholder ?? ""}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  );
}

function ValueText({ filter, value }: { filter: Filter; value: string }) {
  const subaccount = useSubaccountOf(filter.kind === "subaccount" ? value : undefined);
  if (filter.kind === "subaccount") return subaccount?.name ?? value;
  if (filter.kind === "receiver") return <ReceiverName id={value} />;
  if (filter.kind !== "choice") return value;
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

function ReceiverName({ id }: { id: string }) {
  return usePayee(id)?.name ?? id;
}
