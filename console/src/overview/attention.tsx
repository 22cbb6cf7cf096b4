// The list of things that need attention, each with a link to the page that shows it.

import { Text } from "@mantine/core";
import type { Attention, AttentionKind } from "@server/console/overview/schema.ts";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { useNow } from "../state/now.ts";
import { relativeText, spanText } from "../state/time.ts";
import { useZone, type Zone } from "../state/zone.ts";
import { overviewTexts } from "../texts/overview.ts";
import { useListAddress } from "./buckets.ts";
import styles from "./overview.module.css";

type Context = { item: Attention; nowMs: number; zone: Zone };

const many = ({ count, is_more }: Attention, one: string, more: string) =>
  `${countText(count ?? 0, is_more)} ${count === 1 ? one : more}`;
const waited = ({ item: { at }, nowMs }: Context) => (at === null ? "" : spanText(nowMs - at));

const percentOf = ({ count, of }: Attention) => Math.round(((count ?? 0) / (of || 1)) * 100);

const lines: Record<AttentionKind, (context: Context) => string> = {
  endpoint_failing: ({ item, nowMs, zone }) =>
    overviewTexts.webhookEndpointHasBeenFailingSince(
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
      many(item, overviewTexts.eventIsPending, overviewTexts.eventsArePending),
    ),
  endpoint_disabled: ({ item, nowMs, zone }) =>
    overviewTexts.webhookEndpointHasBeenDisabledSince(
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
      many(item, overviewTexts.eventIsPending, overviewTexts.eventsArePending),
    ),
  payouts_set_aside: (context) =>
    overviewTexts.setAsideTheOldestFor(
      many(context.item, "payout is", "payouts are"),
      waited(context),
      context.item.name,
    ),
  payouts_late: (context) =>
    overviewTexts.pendingForOver30MinThe(
      many(context.item, "payout is", "payouts are"),
      waited(context),
    ),
  payouts_on_hold: (context) =>
    overviewTexts.onHoldTheOldestFor(
      many(context.item, "payout is", "payouts are"),
      waited(context),
    ),
  payouts_awaiting_approval: (context) =>
    `${many(context.item, overviewTexts.payoutOfThisSubaccountNeeds, overviewTexts.payoutsOfThisSubaccountNeed)} approval, ` +
    overviewTexts.theOldestFor(waited(context)),
  hits_open: (context) =>
    overviewTexts.hitsOpen(many(context.item, "hit waits", "hits wait"), waited(context)),
  bank_changes_awaiting_approval: ({ item }) =>
    `${many(item, overviewTexts.changeOfBankDetailsNeeds, overviewTexts.changesOfBankDetailsNeed)} approval`,
  payouts_failing: ({ item }) =>
    overviewTexts.ofPayoutsFailedOf(
      percentOf(item),
      countText(item.count ?? 0),
      countText(item.of ?? 0),
    ),
  endpoint_missing: ({ item }) =>
    overviewTexts.noWebhookEndpointIsSetNot(many(item, "event was", "events were")),
  kyc_waiting: (context) =>
    overviewTexts.pendingTheOldestFor(
      many(context.item, "identity check is", "identity checks are"),
      waited(context),
    ),
  kyc_late: (context) =>
    overviewTexts.beenPendingForOver24H(
      many(context.item, "identity check has", "identity checks have"),
      waited(context),
    ),
  funds_low: ({ item }) =>
    overviewTexts.balanceLowAvailableLessThanAn(moneyText(item.amount ?? 0, item.name)),
  keys_ending: ({ item, nowMs, zone }) =>
    overviewTexts.within7Days(
      many(item, "API key expires", "API keys expire"),
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  key_awaiting_approval: (context) =>
    overviewTexts.approvalCreatedBy(
      many(context.item, "API key needs", "API keys need"),
      context.item.name,
    ),
  limits_awaiting_approval: (context) =>
    overviewTexts.higherLimitsNeedApprovalRequestedBy(context.item.name),
  erasure_awaiting_approval: (context) =>
    overviewTexts.approvalRequestedBy(
      many(context.item, "erasure needs", "erasures need"),
      context.item.name,
    ),
  keys_new: ({ item, nowMs, zone }) =>
    overviewTexts.aNewSecretOfAnApi(
      many(item, "user saw", "users saw"),
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  users_new: ({ item, nowMs, zone }) =>
    overviewTexts.invitedResetOrGivenAnotherRole(
      many(item, "user was", "users were"),
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  events_abandoned: ({ item }) =>
    overviewTexts.couldNotBeDeliveredAndNo(
      many(item, "event", "events"),
      item.count === 1 ? "is" : "are",
    ),
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
    screen === "approvals" || screen === "reviews"
      ? `/${screen}?${new URLSearchParams(query)}`
      : address(screen, undefined, query);
  return (
    <Panel title={overviewTexts.needsAttention} flush={items.length > 0}>
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
                <span>{lines[item.kind]({ item, nowMs, zone })}</span>
                <PageLink to={addressOf(item)}>{overviewTexts.open}</PageLink>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
