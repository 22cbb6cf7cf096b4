// One version of a sanctions list: its facts, the decision where it waits, and the entries that it changes.

import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { ArrowLeft } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { listText, screeningTexts } from "../texts/screening.ts";
import {
  type ChangedEntry,
  isWaiting,
  type ListVersion,
  useRenewLists,
  useVersion,
} from "./lists.ts";
import styles from "./screening.module.css";
import { WaitingPanel } from "./waiting-panel.tsx";

export function VersionScreen() {
  const { versionId } = useParams({ strict: false }) as { versionId: string };
  const { data, error, refetch } = useVersion(versionId);
  const renew = useRenewLists();
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  const { version } = data;
  return (
    <Screen
      title={`${listText(version.list)}, version of ${dayOf(version)}`}
      beside={<Status of="listVersion" value={version.status} />}
      above={
        <PageLink to="/screening" fz="sm">
          <ArrowLeft size={13} aria-hidden /> {screeningTexts.title}
        </PageLink>
      }
    >
      {isWaiting(version) && <WaitingPanel version={version} onDecided={renew} />}
      <Panel>
        <VersionFacts version={version} />
      </Panel>
      <Changes version={version} />
    </Screen>
  );
}

function dayOf({ published_day, made_at }: ListVersion): string {
  return calendarDayText(published_day || new Date(made_at).toISOString().slice(0, 10));
}

function VersionFacts({ version }: { version: ListVersion }) {
  const { published_day, entries, names, hash, made_by, made_at } = version;
  const { first_approved_by, decided_by, decided_at } = version;
  return (
    <Facts
      items={[
        published_day !== "" && {
          label: screeningTexts.published,
          value: calendarDayText(published_day),
        },
        { label: screeningTexts.entries, value: countText(entries) },
        { label: screeningTexts.names, value: countText(names) },
        {
          label: screeningTexts.imported,
          value: <WhenBy ms={made_at} who={whoText(made_by)} withSeconds />,
        },
        first_approved_by !== "" && {
          label: "First approval",
          value: whoText(first_approved_by),
        },
        decided_at !== null && {
          label: "Decided",
          value: <WhenBy ms={decided_at} who={whoText(decided_by)} withSeconds />,
        },
        { label: "SHA-256", value: <span className={styles.hash}>{hash}</span> },
      ]}
    />
  );
}

const kinds = ["added", "changed", "removed"] as const;
const kindWords = { added: "Added", changed: "Changed", removed: "Removed" };

const named: readonly Column<ChangedEntry>[] = [
  {
    key: "name",
    phone: "lead",
    title: "Name",
    cell: ({ name, more_names }) => (
      <>
        {name}
        {more_names > 0 && (
          <Text size="xs" c="dimmed" span>
            {` and ${countText(more_names)} more`}
          </Text>
        )}
      </>
    ),
  },
  { key: "key", phone: "lead-end", title: "Number", cell: ({ key }) => key },
  { key: "kind", phone: "sub", title: "Kind", cell: ({ kind }) => kind },
  { key: "program", phone: "sub-end", title: "Programme", cell: ({ program }) => program },
];

const changed: Column<ChangedEntry> = {
  key: "changes",
  phone: "foot",
  title: "What changed",
  cell: ({ changes }) => (
    <ul className={styles.changes}>
      {changes.map(({ what, before, after }) => (
        <li key={what}>
          <span>{what}</span>
          {before && <del>{before}</del>}
          {after && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  ),
};

function Changes({ version }: { version: ListVersion }) {
  const [values, setFilters] = useFilters();
  const usual = kinds.find((kind) => version[kind] > 0) ?? "added";
  const kind = kinds.find((one) => one === values.kind) ?? usual;
  const page = usePage<ChangedEntry>(
    ["screening", "changes"],
    `/screening/versions/${version.id}/changes`,
    { kind },
  );
  if (!version.has_changes) {
    const isNone = version.added + version.changed + version.removed === 0;
    return (
      <Panel>
        <Empty
          title={isNone ? "This version changes no entry" : "Its changes can't be shown"}
          hint={!isNone && "The version never was in force, so its entries were not kept."}
        />
      </Panel>
    );
  }
  return (
    <section aria-label="Changes">
      <Stack gap="xs">
        <Text component="h2" fw={600} fz="sm" m={0}>
          {version.status === "waiting" ? "What it would change" : "What it changed"}
        </Text>
        <SegmentedControl
          aria-label="Changes"
          className={styles.kinds as string}
          value={kind}
          onChange={(chosen) => setFilters({ kind: chosen })}
          data={kinds.map((value) => ({
            value,
            label: `${kindWords[value]} ${countText(version[value])}`,
          }))}
        />
        <PageTable
          label={kindWords[kind]}
          columns={kind === "changed" ? [...named.slice(0, 2), changed] : named}
          page={page}
          rowKey={({ key }) => key}
          empty={<Empty title={`No entry is ${kind}`} />}
        />
      </Stack>
    </section>
  );
}
