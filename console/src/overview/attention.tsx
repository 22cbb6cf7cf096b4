// The list of things that need attention, each with a link to the page that shows it.

import { Text } from "@mantine/core";
import type { Attention, AttentionKind } from "@server/console/overview/schema.ts";
import { CircleAlert, CircleCheck, TriangleAlert } from "../parts/icons.tsx";
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

const { counted } = overviewTexts;
const many = ({ count, is_more }: Attention, [one, more]: readonly [string, string]) =>
  `${countText(count ?? 0, is_more)} ${count === 1 ? one : more}`;
const waited = ({ item: { at }, nowMs }: Context) => (at === null ? "" : spanText(nowMs - at));

const percentOf = ({ count, of }: Attention) => Math.round(((count ?? 0) / (of || 1)) * 100);

const lines: Record<AttentionKind, (context: Context) => string> = {
  endpoint_failing: ({ item, nowMs, zone }) =>
    overviewTexts.webhookEndpointHasBeenFailingSince(
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
      many(item, counted.eventsArePending),
    ),
  endpoint_secret_unreadable: ({ item, nowMs, zone }) =>
    overviewTexts.webhookSecretUnreadableSince(
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
      many(item, counted.eventsArePending),
    ),
  endpoint_disabled: ({ item, nowMs, zone }) =>
    overviewTexts.webhookEndpointHasBeenDisabledSince(
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
      many(item, counted.eventsArePending),
    ),
  payouts_set_aside: (context) =>
    overviewTexts.setAsideTheOldestFor(
      many(context.item, counted.payoutsAre),
      waited(context),
      context.item.name,
    ),
  payouts_late: (context) =>
    overviewTexts.pendingForOver30MinThe(many(context.item, counted.payoutsAre), waited(context)),
  payouts_on_hold: (context) =>
    overviewTexts.onHoldTheOldestFor(many(context.item, counted.payoutsAre), waited(context)),
  payouts_awaiting_approval: (context) =>
    overviewTexts.approvalTheOldestFor(many(context.item, counted.payoutsNeed), waited(context)),
  hits_open: (context) =>
    overviewTexts.hitsOpen(many(context.item, counted.hitsWait), waited(context)),
  bank_changes_awaiting_approval: ({ item }) =>
    overviewTexts.approval(many(item, counted.bankChangesNeed)),
  payouts_failing: ({ item }) =>
    overviewTexts.ofPayoutsFailedOf(
      percentOf(item),
      countText(item.count ?? 0),
      countText(item.of ?? 0),
    ),
  endpoint_missing: ({ item }) =>
    overviewTexts.noWebhookEndpointIsSetNot(many(item, counted.eventsWere)),
  kyc_waiting: (context) =>
    overviewTexts.pendingTheOldestFor(
      many(context.item, counted.identityChecksAre),
      waited(context),
    ),
  kyc_late: (context) =>
    overviewTexts.beenPendingForOver24H(
      many(context.item, counted.identityChecksHave),
      waited(context),
    ),
  funds_low: ({ item }) =>
    overviewTexts.balanceLowAvailableLessThanAn(moneyText(item.amount ?? 0, item.name)),
  keys_ending: ({ item, nowMs, zone }) =>
    overviewTexts.within7Days(
      many(item, counted.keysExpire),
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  key_awaiting_approval: (context) =>
    overviewTexts.approvalCreatedBy(many(context.item, counted.keysNeed), context.item.name),
  rotation_awaiting_approval: (context) =>
    overviewTexts.approvalRequestedBy(many(context.item, counted.rotationsNeed), context.item.name),
  limits_awaiting_approval: (context) =>
    overviewTexts.higherLimitsNeedApprovalRequestedBy(context.item.name),
  erasure_awaiting_approval: (context) =>
    overviewTexts.approvalRequestedBy(many(context.item, counted.erasuresNeed), context.item.name),
  requests_expiring: ({ item, nowMs, zone }) =>
    overviewTexts.expireUnlessDecided(
      many(item, counted.requestsExpire),
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  bank_requests_awaiting: (context) =>
    overviewTexts.approvalTheOldestFor(
      many(context.item, counted.bankRequestsNeed),
      waited(context),
    ),
  keys_new: ({ item, nowMs, zone }) =>
    overviewTexts.aNewSecretOfAnApi(
      many(item, counted.usersSaw),
      item.name,
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  users_new: ({ item, nowMs, zone }) =>
    overviewTexts.invitedResetOrGivenAnotherRole(
      many(item, counted.usersWere),
      relativeText(item.at ?? 0, nowMs, zone),
    ),
  events_abandoned: ({ item }) => many(item, counted.eventsAbandoned),
};

const pressing: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  "endpoint_failing",
  "endpoint_secret_unreadable",
  "endpoint_disabled",
  "payouts_set_aside",
  "payouts_failing",
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
          <CircleCheck size={16} aria-hidden /> {overviewTexts.allClear}
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
