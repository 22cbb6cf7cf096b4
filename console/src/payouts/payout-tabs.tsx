// What else is known of a payout, each kind in a tab: its events, calls, moves of money, what people did, the JSON.

import { Stack, Table, Tabs, Text } from "@mantine/core";
import type { PayoutDetail } from "@server/console/payouts/schema.ts";
import type { ReactNode } from "react";
import { usePageOf } from "../api/me.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import styles from "./payout.module.css";
import { WebhookCell } from "./webhook-cell.tsx";

export function PayoutTabs({ payout }: { payout: PayoutDetail }) {
  const [{ tab = "events" }, setFilters] = useFilters();
  const { events, requests, entries, acts, json } = payout;
  const tabs: Record<string, { title: string; content: ReactNode }> = {
    events: { title: `Events (${events.length})`, content: <Events payout={payout} /> },
    requests: {
      title: `API requests (${requests.length})`,
      content: <Requests payout={payout} />,
    },
    ledger: { title: `Ledger entries (${entries.length})`, content: <Entries payout={payout} /> },
    ...(acts.length > 0 && {
      audit: { title: `Audit (${acts.length})`, content: <Acts payout={payout} /> },
    }),
    json: {
      title: "JSON",
      content: (
        <CodeBlock text={JSON.stringify(json, null, 2)} label={`GET /api/payout/${payout.id}`} />
      ),
    },
  };
  const shown = tab in tabs ? tab : "events";
  return (
    <Tabs
      value={shown}
      onChange={(chosen) =>
        setFilters({ tab: chosen === "events" ? undefined : (chosen ?? undefined) })
      }
      className={styles.onScreen as string}
    >
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

function Events({ payout: { events } }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  if (events.length === 0) return <Nothing>Its events are no longer kept.</Nothing>;
  return (
    <Lines label="Events" heads={["Happened", "Type", "Delivery", "Attempts", "Next attempt"]}>
      {events.map(({ id, type, status, created_at, attempts, http_status, next_attempt_at }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <When ms={created_at} withSeconds />
          </Table.Td>
          <Table.Td>
            <PageLink to={pageOf("webhooks", "events", id)}>{type}</PageLink>
          </Table.Td>
          <Table.Td>
            <WebhookCell event={{ id, status, attempts, http_status }} />
          </Table.Td>
          <Table.Td>{attempts}</Table.Td>
          <Table.Td>{next_attempt_at === null ? "–" : <When ms={next_attempt_at} />}</Table.Td>
        </Table.Tr>
      ))}
    </Lines>
  );
}

function Requests({ payout: { id, requests } }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  const all = (
    <PageLink to={`${pageOf("requests")}?object=${id}`} fz="sm">
      Every call that named it
    </PageLink>
  );
  if (requests.length === 0) {
    return <Nothing>No call made or changed it, or none that is still kept. {all}</Nothing>;
  }
  return (
    <Stack gap="sm">
      <Lines label="API requests" heads={["When", "Call", "Status", "Took", "From"]}>
        {requests.map(({ id, at, method, path, status, ms, ip }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <When ms={at} withSeconds />
            </Table.Td>
            <Table.Td>
              <PageLink to={pageOf("requests", id)}>
                {method} {path}
              </PageLink>
            </Table.Td>
            <Table.Td>
              <Status of="http" value={status} />
            </Table.Td>
            <Table.Td>{Math.round(ms)} ms</Table.Td>
            <Table.Td>{ip || "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Lines>
      {all}
    </Stack>
  );
}

function Entries({ payout: { entries } }: { payout: PayoutDetail }) {
  const heads = ["When", "Number", "Kind", "From", "To", "Amount", "Available after"];
  return (
    <Lines label="Ledger entries" heads={heads} right={["Amount", "Available after", "Number"]}>
      {entries.map(({ id, when, number, kind, debit, credit, amount, currency, available }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <When ms={Number(when)} withSeconds />
          </Table.Td>
          <Table.Td ta="right">{number}</Table.Td>
          <Table.Td>{kind}</Table.Td>
          <Table.Td>{debit}</Table.Td>
          <Table.Td>{credit}</Table.Td>
          <Table.Td ta="right">
            <Money amount={amount} currency={currency} />
          </Table.Td>
          <Table.Td ta="right">
            <Money amount={available} currency={currency} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Lines>
  );
}

function Acts({ payout: { acts } }: { payout: PayoutDetail }) {
  return (
    <Lines label="Audit" heads={["When", "Who", "What", "Before", "After"]}>
      {acts.map(({ number, at, who, action, before, after }) => (
        <Table.Tr key={number}>
          <Table.Td>
            <When ms={at} withSeconds />
          </Table.Td>
          <Table.Td>{who.replace(/^operator:/, "")}</Table.Td>
          <Table.Td>{action}</Table.Td>
          <Table.Td>{changesText(before)}</Table.Td>
          <Table.Td>{changesText(after)}</Table.Td>
        </Table.Tr>
      ))}
    </Lines>
  );
}

function changesText(changes: unknown): string {
  const pairs = Object.entries((changes ?? {}) as Record<string, unknown>);
  return pairs.map(([name, value]) => `${name}: ${value}`).join(", ") || "–";
}

function Lines({
  label,
  heads,
  right = [],
  children,
}: {
  label: string;
  heads: readonly string[];
  right?: readonly string[];
  children: ReactNode;
}) {
  return (
    // What scrolls must be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles.lines} aria-label={label} tabIndex={0}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head} ta={right.includes(head) ? "right" : "left"}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
