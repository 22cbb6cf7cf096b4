// What somebody should look at, in a line each, with the way to it.

import { Text } from "@mantine/core";
import type { Attention, AttentionKind } from "@server/console/overview/schema.ts";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { moneyText } from "../state/money.ts";
import { useNow } from "../state/now.ts";
import { relativeText, spanText } from "../state/time.ts";
import { useZone, type Zone } from "../state/zone.ts";
import { useListAddress } from "./buckets.ts";
import { countText } from "./figures.ts";
import styles from "./overview.module.css";

type Said = { item: Attention; nowMs: number; zone: Zone };

const many = ({ count, is_more }: Attention, one: string, more: string) =>
  `${countText(count ?? 0, is_more)} ${count === 1 ? one : more}`;
const waited = ({ item: { at }, nowMs }: Said) => (at === null ? "" : spanText(nowMs - at));

const percentOf = ({ count, of }: Attention) => Math.round(((count ?? 0) / (of || 1)) * 100);

const words: Record<AttentionKind, (said: Said) => string> = {
  endpoint_failing: ({ item, nowMs, zone }) =>
    `Endpoint ${item.name} has been failing since ${relativeText(item.at ?? 0, nowMs, zone)}: ` +
    `${many(item, "event waits", "events wait")}`,
  endpoint_disabled: ({ item, nowMs, zone }) =>
    `Endpoint ${item.name} has been disabled since ${relativeText(item.at ?? 0, nowMs, zone)}: ` +
    `${many(item, "event waits", "events wait")}`,
  payouts_set_aside: (said) =>
    `${many(said.item, "payout is", "payouts are")} set aside, the oldest for ${waited(said)}: ${said.item.name}`,
  payouts_late: (said) =>
    `${many(said.item, "payout is", "payouts are")} pending for over 30 min, the oldest for ${waited(said)}`,
  payouts_awaiting_approval: (said) =>
    `${many(said.item, "payout of this subaccount needs", "payouts of this subaccount need")} approval, ` +
    `the oldest for ${waited(said)}`,
  bank_changes_awaiting_approval: ({ item }) =>
    `${many(item, "change of bank details needs", "changes of bank details need")} approval`,
  payouts_failing: ({ item }) =>
    `${percentOf(item)}% of payouts failed: ${countText(item.count ?? 0)} of ${countText(item.of ?? 0)}`,
  endpoint_missing: ({ item }) =>
    `No webhook endpoint is set: ${many(item, "event was", "events were")} not sent`,
  kyc_waiting: (said) =>
    `${many(said.item, "identity check is", "identity checks are")} pending, the oldest for ${waited(said)}`,
  kyc_late: (said) =>
    `${many(said.item, "identity check waits", "identity checks wait")} for over 24 h, the oldest for ${waited(said)}`,
  funds_low: ({ item }) =>
    `${moneyText(item.amount ?? 0, item.name)} is available: less than is paid on a usual day`,
  keys_ending: ({ item, nowMs, zone }) =>
    `${many(item, "API key ends", "API keys end")} within 7 days: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  key_awaiting_approval: (said) =>
    `${many(said.item, "key waits", "keys wait")} for approval, made by ${said.item.name}`,
  limits_awaiting_approval: (said) =>
    `Looser limits wait for approval, asked for by ${said.item.name}`,
  keys_new: ({ item, nowMs, zone }) =>
    `${many(item, "person saw", "people saw")} a new secret of a key about money in the last 24 h: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  people_new: ({ item, nowMs, zone }) =>
    `${many(item, "person was", "people were")} invited, reset or given another role in the last 24 h, the last ${relativeText(item.at ?? 0, nowMs, zone)}`,
  events_abandoned: ({ item }) =>
    `${many(item, "event", "events")} could not be delivered and ${item.count === 1 ? "is" : "are"} no longer retried`,
};

const pressing: ReadonlySet<AttentionKind> = new Set([
  ...(["endpoint_failing", "endpoint_disabled", "payouts_set_aside", "payouts_failing"] as const),
]);

export function NeedsAttention({ items }: { items: readonly Attention[] }) {
  const nowMs = useNow();
  const zone = useZone();
  const address = useListAddress();
  const addressOf = ({ opens: { screen, query } }: Attention) =>
    // Across all subaccounts.
    screen === "approvals"
      ? `/approvals?${new URLSearchParams(query)}`
      : address(screen, undefined, query);
  return (
    <Panel title="Needs attention" flush={items.length > 0}>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed" className={styles.fine ?? ""}>
          <CircleCheck size={16} aria-hidden /> All clear
        </Text>
      ) : (
        <ul className={styles.attention}>
          {items.map((item) => {
            const Icon = pressing.has(item.kind) ? CircleAlert : TriangleAlert;
            return (
              <li key={`${item.kind} ${item.name}`} data-pressing={pressing.has(item.kind)}>
                <Icon size={16} aria-hidden />
                <span>{words[item.kind]({ item, nowMs, zone })}</span>
                <PageLink to={addressOf(item)}>Open</PageLink>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
