// Beside the filters of a list: its saved views, its columns, and its sort where no column has a head to click.

import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Menu,
  Popover,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { SavedViews } from "@server/doors/console/views/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { get, send } from "../api/call.ts";
import { type Filters, useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { ArrowUpDown, Bookmark, Check, Columns3, Trash2 } from "./icons.tsx";
import styles from "./list-tools.module.css";
import type { Column } from "./page-table.tsx";
import { Problem } from "./problem.tsx";
import type { Sorting } from "./sorting.ts";

const sorted = { payouts: "payouts", requests: "requests", entries: "entries" } as const;

export function ListTools<Row>({
  list,
  columns,
  sorting,
}: {
  /** As saved views name it. */
  list: string;
  /** All columns of the list. */
  columns: readonly Column<Row>[];
  sorting?: Sorting | undefined;
}) {
  return (
    <Group gap={6} className={styles.tools}>
      {sorting && <SortMenu sorts={columns} sorting={sorting} className={styles.narrow} />}
      <ColumnMenu columns={columns} />
      <ViewMenu list={list} />
    </Group>
  );
}

/** For a list of cards, which has no columns to choose. */
export function CardTools({
  list,
  sorts,
  sorting,
}: {
  /** As saved views name it. */
  list: string;
  sorts: readonly SortChoice[];
  sorting: Sorting;
}) {
  return (
    <Group gap={6} className={styles.tools}>
      <SortMenu sorts={sorts} sorting={sorting} />
      <ViewMenu list={list} />
    </Group>
  );
}

/** Says that only the newest rows were sorted. */
export function SortedAmong({
  answer,
  rows,
}: {
  answer: { sorted_among: number | null } | undefined;
  rows: keyof typeof sorted;
}) {
  const count = answer?.sorted_among ?? null;
  if (count === null) return null;
  return (
    <Text size="sm" role="status">
      {`Sorted among the newest ${countText(count)} matching ${sorted[rows]}. Narrow the filters to sort all of them.`}
    </Text>
  );
}

/** The columns that are shown: those in the address, or all that are not extra. */
export function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const [{ columns: chosen }] = useFilters();
  return shownOf(columns, chosen);
}

function shownOf<Row>(columns: readonly Column<Row>[], chosen: string | undefined) {
  const keys = chosen?.split(",") ?? [];
  const shown = columns.filter(({ key }) => keys.includes(key));
  return shown.length > 0 ? shown : columns.filter(({ isExtra }) => !isExtra);
}

function ColumnMenu<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const [{ columns: chosen, cursor }, setFilters] = useFilters();
  const shown = shownOf(columns, chosen);
  const set = (keys: readonly string[]) => {
    const isUsual = columns.every(({ key, isExtra }) => keys.includes(key) === !isExtra);
    setFilters({ columns: isUsual ? undefined : keys.join(), cursor });
  };
  const toggle = ({ key }: Column<Row>) =>
    set(
      columns
        .filter((one) => (one.key === key ? !shown.includes(one) : shown.includes(one)))
        .map((one) => one.key),
    );
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          className={styles.wide}
          leftSection={<Columns3 size={14} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              size="xs"
              label={column.title}
              checked={shown.includes(column)}
              disabled={shown.length === 1 && shown.includes(column)}
              onChange={() => toggle(column)}
            />
          ))}
          {chosen && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => setFilters({ columns: undefined, cursor })}
            >
              Reset columns
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

type SortChoice = Pick<Column<unknown>, "title" | "sort">;

function SortMenu({
  sorts,
  sorting: { value, onChange },
  className,
}: {
  sorts: readonly SortChoice[];
  sorting: Sorting;
  className?: string | undefined;
}) {
  const choices = sorts.flatMap(({ sort, title }) => {
    const by = sort?.replace("-", "");
    return by
      ? [
          { sort: by, label: `${title}, ascending` },
          { sort: `-${by}`, label: `${title}, descending` },
        ]
      : [];
  });
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          className={className}
          leftSection={<ArrowUpDown size={14} aria-hidden />}
        >
          Sort
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ sort, label }) => (
          <Menu.Item
            key={sort}
            rightSection={sort === value ? <Check size={14} aria-hidden /> : undefined}
            onClick={() => onChange(sort)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ViewMenu({ list }: { list: string }) {
  const [values, setFilters] = useFilters();
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const key = ["views", list];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<SavedViews>("/views", { list }, signal),
    enabled: isOpen,
  });
  const remove = useMutation({
    mutationFn: (name: string) => send<SavedViews>("DELETE", "/views", { list, name }),
    onSuccess: (views) => client.setQueryData(key, views),
  });
  const rows = data?.rows ?? [];
  const open = (search: Filters) => {
    setOpen(false);
    const others = Object.fromEntries(Object.keys(values).map((name) => [name, undefined]));
    setFilters({ ...others, ...(values.tab ? { tab: values.tab } : {}), ...search });
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Bookmark size={14} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={280}>
        <Stack gap="xs">
          <Problem error={error ?? remove.error} />
          {data && rows.length === 0 && (
            <Text size="sm" c="dimmed">
              No saved views yet
            </Text>
          )}
          {rows.map(({ name, search }) => (
            <Group key={name} gap={4} wrap="nowrap" justify="space-between">
              <Button
                size="compact-sm"
                variant="subtle"
                justify="flex-start"
                className={styles.view}
                title={name}
                onClick={() => open(search)}
              >
                {name}
              </Button>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Delete the view ${name}`}
                onClick={() => remove.mutate(name)}
              >
                <Trash2 size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <SaveView list={list} values={values} onSaved={() => setOpen(false)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Parameters of the address that belong to a page and not to a view, and texts that a view does not keep. */
const unsaved = new Set(["cursor", "tab", "entry", "q", "reference", "email"]);

function SaveView({
  list,
  values,
  onSaved,
}: {
  list: string;
  values: Filters;
  onSaved: () => void;
}) {
  const [name, setName] = useState("");
  const client = useQueryClient();
  const search = Object.fromEntries(Object.entries(values).filter(([one]) => !unsaved.has(one)));
  const save = useMutation({
    mutationFn: () => send<SavedViews>("PUT", "/views", { list, name: name.trim(), search }),
    onSuccess: (views) => {
      client.setQueryData(["views", list], views);
      notifications.show({ message: `View “${name.trim()}” saved`, color: "teal" });
      setName("");
      onSaved();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={6}>
        <Problem error={save.error} />
        <Group gap={6} wrap="nowrap" align="flex-end">
          <TextInput
            size="xs"
            label="Save this view"
            placeholder="Name"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button size="xs" type="submit" loading={save.isPending} disabled={!name.trim()}>
            Save
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Filters, sort and columns. Names, emails and references are not saved.
        </Text>
      </Stack>
    </form>
  );
}
