// The tabs of a payout: events, API requests, ledger entries, audit log, JSON.

import { Stack, Tabs } from "@mantine/core";
import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import type { ReactNode } from "react";
import { usePageOf } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useTab } from "../state/tab.ts";
import { whoText } from "../state/who.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payout.module.css";
import { WebhookCell } from "./webhook-cell.tsx";

export function PayoutTabs({ payout }: { payout: PayoutDetail }) {
  const { events, requests, entries, acts, json } = payout;
  const tabs: Record<string, { title: string; content: ReactNode }> = {
    events: { title: `Events (${events.length})`, content: <Events payout={payout} /> },
    requests: {
      title: `API requests (${requests.length})`,
      content: <Requests payout={payout} />,
    },
    ledger: {
      title: `Ledger entries (${entries.length})`,
      content: <Entries payout={payout} />,
    },
    ...(acts.length > 0 && {
      audit: { title: `Audit log (${acts.length})`, content: <Acts payout={payout} /> },
    }),
    json: {
      title: "JSON",
      content: (
        <CodeBlock text={JSON.stringify(json, null, 2)} label={`GET /api/payout/${payout.id}`} />
      ),
    },
  };
  const [tab, choose] = useTab(["events", ...Object.keys(tabs)]);
  return (
    <Tabs value={tab} onChange={choose} className={styles.onScreen as string}>
      <Tabs.List>
        {Object.entries(tabs).map(([name, { title }]) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(tabs).map(([name, { content }]) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

type EventLine = PayoutDetail["events"][number];
type RequestLine = PayoutDetail["requests"][number];
type EntryLine = PayoutDetail["entries"][number];
type ActLine = PayoutDetail["acts"][number];

const eventColumns: readonly Column<EventLine>[] = [
  {
    key: "created",
    title: payoutsTexts.created,
    cell: ({ created_at }) => <When ms={created_at} withSeconds />,
  },
  { key: "type", title: payoutsTexts.type, isLink: true, cell: ({ type }) => type },
  { key: "delivery", title: payoutsTexts.delivery, cell: (event) => <WebhookCell event={event} /> },
  { key: "attempts", title: "Attempts", cell: ({ attempts }) => attempts },
  {
    key: "next",
    title: "Next attempt",
    cell: ({ next_attempt_at }) =>
      next_attempt_at === null ? "–" : <When ms={next_attempt_at} isPlanned />,
  },
];

function Events({ payout: { events } }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  return (
    <PageTable
      label="Events"
      columns={eventColumns}
      page={onePageOf({ data: { rows: events } })}
      rowKey={({ id }) => id}
      rowHref={({ id }) => pageOf("webhooks", "events", id)}
      empty={<Empty title="No events. Events older than 90 days are deleted." />}
    />
  );
}

const requestColumns: readonly Column<RequestLine>[] = [
  { key: "time", title: payoutsTexts.time, cell: ({ at }) => <When ms={at} withSeconds /> },
  {
    key: "request",
    title: "Request",
    isLink: true,
    cell: ({ method, path }) => `${method} ${path}`,
  },
  {
    key: "status",
    title: payoutsTexts.status,
    cell: ({ status }) => <Status of="http" value={status} />,
  },
  {
    key: "duration",
    title: "Duration",
    cell: ({ ms }) => `${Math.round(ms)} ms`,
  },
  { key: "ip", title: "IP address", cell: ({ ip }) => ip || "–" },
];

function Requests({ payout: { id, requests } }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  return (
    <Stack gap="sm">
      <PageTable
        label="API requests"
        columns={requestColumns}
        page={onePageOf({ data: { rows: requests } })}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("requests", row.id)}
        empty={<Empty title="No API request created or changed this payout in the last 30 days." />}
      />
      <PageLink to={`${pageOf("requests")}?object=${id}`} fz="sm">
        Related API requests
      </PageLink>
    </Stack>
  );
}

const entryColumns: readonly Column<EntryLine>[] = [
  {
    key: "time",
    title: payoutsTexts.time,
    cell: ({ when }) => <When ms={Number(when)} withSeconds />,
  },
  { key: "number", title: "Number", align: "right", cell: ({ number }) => number },
  { key: "type", title: payoutsTexts.type, cell: ({ kind }) => kind },
  { key: "from", title: payoutsTexts.from, cell: ({ debit }) => debit },
  { key: "to", title: payoutsTexts.to, cell: ({ credit }) => credit },
  {
    key: "amount",
    title: payoutsTexts.amount,
    align: "right",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: "available",
    title: "Available after",
    align: "right",
    cell: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
];

function Entries({ payout: { entries } }: { payout: PayoutDetail }) {
  return (
    <PageTable
      label="Ledger entries"
      columns={entryColumns}
      page={onePageOf({ data: { rows: entries } })}
      rowKey={({ id }) => id}
      empty={<Empty title="No ledger entries" />}
    />
  );
}

const actColumns: readonly Column<ActLine>[] = [
  { key: "time", title: payoutsTexts.time, cell: ({ at }) => <When ms={at} withSeconds /> },
  { key: "user", title: payoutsTexts.user, cell: ({ who }) => whoText(who) },
  { key: "action", title: "Action", cell: ({ action }) => action },
  { key: "before", title: "Before", cell: ({ before }) => changesText(before) },
  { key: "after", title: "After", cell: ({ after }) => changesText(after) },
];

function Acts({ payout: { acts } }: { payout: PayoutDetail }) {
  return (
    <PageTable
      label="Audit log"
      columns={actColumns}
      page={onePageOf({ data: { rows: acts } })}
      rowKey={({ number }) => String(number)}
      empty={null}
    />
  );
}

function changesText(changes: unknown): string {
  const pairs = Object.entries((changes ?? {}) as Record<string, unknown>);
  return pairs.map(([name, value]) => `${name}: ${value}`).join(", ") || "–";
}
