// The tabs of a payout: events, API requests, ledger entries, audit log, JSON.

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
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payout.module.css";
import { WebhookCell } from "./webhook-cell.tsx";

export function PayoutTabs({ payout }: { payout: PayoutDetail }) {
  const [{ tab = "events" }, setFilters] = useFilters();
  const { events, requests, entries, acts, json } = payout;
  const tabs: Record<string, { title: string; content: ReactNode }> = {
    events: { title: payoutsTexts.events(events.length), content: <Events payout={payout} /> },
    requests: {
      title: payoutsTexts.apiRequests(requests.length),
      content: <Requests payout={payout} />,
    },
    ledger: {
      title: payoutsTexts.ledgerEntries(entries.length),
      content: <Entries payout={payout} />,
    },
    ...(acts.length > 0 && {
      audit: { title: payoutsTexts.auditLog(acts.length), content: <Acts payout={payout} /> },
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
  if (events.length === 0) return <Nothing>{payoutsTexts.noEventsEventsOlderThan90}</Nothing>;
  return (
    <Lines
      label={payoutsTexts.events2}
      heads={[
        payoutsTexts.created,
        payoutsTexts.type,
        payoutsTexts.delivery,
        payoutsTexts.attempts,
        payoutsTexts.nextAttempt,
      ]}
    >
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
          <Table.Td>
            {next_attempt_at === null ? "–" : <When ms={next_attempt_at} isPlanned />}
          </Table.Td>
        </Table.Tr>
      ))}
    </Lines>
  );
}

function Requests({ payout: { id, requests } }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  const all = (
    <PageLink to={`${pageOf("requests")}?object=${id}`} fz="sm">
      {payoutsTexts.relatedApiRequests}
    </PageLink>
  );
  if (requests.length === 0) {
    return (
      <Nothing>No API request created or changed this payout in the last 30 days. {all}</Nothing>
    );
  }
  return (
    <Stack gap="sm">
      <Lines
        label={payoutsTexts.apiRequests2}
        heads={[
          payoutsTexts.time,
          payoutsTexts.request,
          payoutsTexts.status,
          payoutsTexts.duration,
          payoutsTexts.ipAddress,
        ]}
      >
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
            <Table.Td>{payoutsTexts.ms(Math.round(ms))}</Table.Td>
            <Table.Td>{ip || "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Lines>
      {all}
    </Stack>
  );
}

function Entries({ payout: { entries } }: { payout: PayoutDetail }) {
  const heads = [
    payoutsTexts.time,
    payoutsTexts.number,
    payoutsTexts.type,
    payoutsTexts.from,
    payoutsTexts.to,
    payoutsTexts.amount,
    payoutsTexts.availableAfter,
  ];
  return (
    <Lines
      label={payoutsTexts.ledgerEntries2}
      heads={heads}
      right={[payoutsTexts.amount, payoutsTexts.availableAfter, payoutsTexts.number]}
    >
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
    <Lines
      label={payoutsTexts.auditLog2}
      heads={[
        payoutsTexts.time,
        payoutsTexts.user,
        payoutsTexts.action,
        payoutsTexts.before,
        payoutsTexts.after,
      ]}
    >
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
    // A scrolling area must be reachable by keyboard.
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
