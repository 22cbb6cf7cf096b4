// What somebody should look at, in a line each, with the way to it.

import { Text } from "@mantine/core";
import type { Attention, AttentionKind } from "@server/operator/overview/schema.ts";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { moneyText } from "../money.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { useNow } from "../shell/now.ts";
import { useZone, type Zone } from "../shell/zone.ts";
import { relativeText, spanText } from "../time.ts";
import { useListAddress } from "./buckets.ts";
import { countText } from "./figures.ts";
import styles from "./overview.module.css";

type Said = { item: Attention; nowMs: number; zone: Zone };

const many = ({ count, is_more }: Attention, one: string, more: string) =>
  `${countText(count ?? 0, is_more)} ${count === 1 ? one : more}`;
const waited = ({ item: { at }, nowMs }: Said) => (at === null ? "" : spanText(nowMs - at));

const words: Record<AttentionKind, (said: Said) => string> = {
  endpoint_failing: ({ item, nowMs, zone }) =>
    `Endpoint ${item.name} has been failing since ${relativeText(item.at ?? 0, nowMs, zone)}: ` +
    `${many(item, "event waits", "events wait")}`,
  endpoint_disabled: ({ item, nowMs, zone }) =>
    `Endpoint ${item.name} is off since ${relativeText(item.at ?? 0, nowMs, zone)}: ` +
    `${many(item, "event waits", "events wait")}`,
  payouts_set_aside: (said) =>
    `${many(said.item, "payout is", "payouts are")} set aside, the oldest for ${waited(said)}: ${said.item.name}`,
  payouts_late: (said) =>
    `${many(said.item, "payout is", "payouts are")} pending for over 30 min, the oldest for ${waited(said)}`,
  payouts_awaiting_approval: (said) =>
    `${many(said.item, "payout waits", "payouts wait")} for approval, the oldest for ${waited(said)}`,
  kyc_late: (said) =>
    `${many(said.item, "identity check waits", "identity checks wait")} for over 24 h, the oldest for ${waited(said)}`,
  funds_low: ({ item }) =>
    `${moneyText(item.amount ?? 0, item.name)} is available: less than is paid on a usual day`,
  keys_ending: ({ item, nowMs, zone }) =>
    `${many(item, "API key ends", "API keys end")} within 7 days: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  events_at_rest: ({ item }) =>
    `${many(item, "event was", "events were")} never heard and ${item.count === 1 ? "is" : "are"} no longer tried`,
};

const pressing: ReadonlySet<AttentionKind> = new Set([
  "endpoint_failing",
  "endpoint_disabled",
  "payouts_set_aside",
]);

export function NeedsAttention({ items }: { items: readonly Attention[] }) {
  const nowMs = useNow();
  const zone = useZone();
  const address = useListAddress();
  return (
    <Panel title="Needs attention" flush={items.length > 0}>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed" className={styles.fine ?? ""}>
          <CircleCheck size={16} aria-hidden /> Nothing does.
        </Text>
      ) : (
        <ul className={styles.attention}>
          {items.map((item) => {
            const Icon = pressing.has(item.kind) ? CircleAlert : TriangleAlert;
            return (
              <li key={`${item.kind} ${item.name}`} data-pressing={pressing.has(item.kind)}>
                <Icon size={16} aria-hidden />
                <span>{words[item.kind]({ item, nowMs, zone })}</span>
                <PageLink to={address(item.opens.screen, undefined, item.opens.query)}>
                  Open
                </PageLink>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
