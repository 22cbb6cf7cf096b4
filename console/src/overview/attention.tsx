// The list of things that need attention, each with a link to the page that shows it.

import { Text } from "@mantine/core";
import type { Attention, AttentionKind } from "@server/doors/console/overview/schema.ts";
import { CircleAlert, CircleCheck, TriangleAlert } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { useNow } from "../state/now.ts";
import { plannedTimeText, relativeText, spanText } from "../state/time.ts";
import { useZone, type Zone } from "../state/zone.ts";
import { overviewTexts } from "../texts/overview.ts";
import { useListAddress } from "./buckets.ts";
import styles from "./overview.module.css";

type Context = { item: Attention; nowMs: number; zone: Zone };
const many = ({ count, is_more }: Attention, [one, more]: readonly [string, string]) =>
  `${countText(count ?? 0, is_more)} ${count === 1 ? one : more}`;
const waited = ({ item: { at }, nowMs }: Context) => (at === null ? "" : spanText(nowMs - at));

const waiting = (context: Context, words: readonly [string, string]) =>
  overviewTexts.oldestApproval(many(context.item, words), waited(context));

const percentOf = ({ count, of }: Attention) => Math.round(((count ?? 0) / (of || 1)) * 100);

const lines: Record<AttentionKind, (context: Context) => string> = {
  bank_file_awaiting_approval: ({ item, nowMs, zone }) =>
    `${many(item, ["bank file needs", "bank files need"])} approval, the first before its cut-off ${plannedTimeText(item.at ?? 0, nowMs, zone)}`,
  bank_discard_awaiting_approval: (context) =>
    waiting(context, ["bank file to discard needs", "bank files to discard need"]),
  bank_connection_awaiting_approval: (context) =>
    waiting(context, ["bank connection needs", "bank connections need"]),
  rules_awaiting_approval: (context) =>
    waiting(context, ["change of the rules needs", "changes of the rules need"]),
  screening_list_awaiting_approval: (context) =>
    waiting(context, ["sanctions list needs", "sanctions lists need"]),
  finance_approval_awaiting_approval: (context) =>
    waiting(context, [
      "request to let finance approve needs",
      "requests to let finance approve need",
    ]),
  token_awaiting_approval: (context) =>
    waiting(context, ["operator token needs", "operator tokens need"]),
  resolution_awaiting_approval: (context) =>
    waiting(context, ["payout ended by hand needs", "payouts ended by hand need"]),
  endpoint_failing: ({ item, nowMs, zone }) =>
    `Webhook endpoint ${item.name} has been failing since ${plannedTimeText(item.at ?? 0, nowMs, zone)}: ${many(item, overviewTexts.counted.eventsArePending)}`,
  endpoint_secret_unreadable: ({ item, nowMs, zone }) =>
    `The signing secret of webhook endpoint ${item.name} can't be decrypted since ${plannedTimeText(item.at ?? 0, nowMs, zone)}: ${many(item, overviewTexts.counted.eventsArePending)}. Rotate it.`,
  endpoint_disabled: ({ item, nowMs, zone }) =>
    `Webhook endpoint ${item.name} has been disabled since ${plannedTimeText(item.at ?? 0, nowMs, zone)}: ${many(item, overviewTexts.counted.eventsArePending)}`,
  payouts_set_aside: (context) =>
    `${many(context.item, overviewTexts.counted.payoutsAre)} set aside, the oldest for ${waited(context)}: ${context.item.name}`,
  payouts_late: (context) =>
    `${many(context.item, overviewTexts.counted.payoutsAre)} pending for over 30 min, the oldest for ${waited(context)}`,
  payouts_on_hold: (context) =>
    `${many(context.item, overviewTexts.counted.payoutsAre)} on hold, the oldest for ${waited(context)}`,
  payouts_awaiting_approval: (context) =>
    waiting(context, ["payout of this subaccount needs", "payouts of this subaccount need"]),
  hits_open: (context) =>
    `${many(context.item, ["hit waits", "hits wait"])} for a review, the oldest for ${waited(context)}`,
  bank_changes_awaiting_approval: ({ item }) =>
    `${many(item, ["change of bank details needs", "changes of bank details need"])} approval`,
  payouts_failing: ({ item }) =>
    `${percentOf(item)}% of payouts failed: ${countText(item.count ?? 0)} of ${countText(item.of ?? 0)}`,
  endpoint_missing: ({ item }) =>
    `No webhook endpoint is set: ${many(item, ["event was", "events were"])} not sent`,
  kyc_waiting: (context) =>
    `${many(context.item, ["identity check is", "identity checks are"])} pending, the oldest for ${waited(context)}`,
  kyc_late: (context) =>
    `${many(context.item, ["identity check is", "identity checks are"])} pending, ${countText(context.item.of ?? 0)} for over 24 h, the oldest for ${waited(context)}`,
  funds_low: ({ item }) =>
    `Balance low: ${moneyText(item.amount ?? 0, item.name)} available, less than an average day of payouts`,
  keys_ending: ({ item, nowMs, zone }) =>
    `${many(item, ["API key expires", "API keys expire"])} within 7 days: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  tokens_ending: ({ item, nowMs, zone }) =>
    `${many(item, ["operator token in use expires", "operator tokens in use expire"])} within 7 days: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  key_awaiting_approval: (context) =>
    `${many(context.item, ["API key needs", "API keys need"])} approval, created by ${context.item.name}`,
  rotation_awaiting_approval: (context) =>
    overviewTexts.approvalRequestedBy(
      many(context.item, ["rotated secret needs", "rotated secrets need"]),
      context.item.name,
    ),
  limits_awaiting_approval: (context) =>
    `Higher limits need approval, requested by ${context.item.name}`,
  erasure_awaiting_approval: (context) =>
    overviewTexts.approvalRequestedBy(
      many(context.item, ["erasure needs", "erasures need"]),
      context.item.name,
    ),
  requests_expiring: ({ item, nowMs, zone }) =>
    `${many(item, ["request expires", "requests expire"])} unless they are decided, the first ${relativeText(item.at ?? 0, nowMs, zone)}`,
  bank_requests_awaiting: (context) =>
    waiting(context, ["file or decision at a bank needs", "files or decisions at banks need"]),
  keys_new: ({ item, nowMs, zone }) =>
    `${many(item, ["user saw", "users saw"])} a new secret of an API key that can move money in the last 24 h: ${item.name} ${relativeText(item.at ?? 0, nowMs, zone)}`,
  users_new: ({ item, nowMs, zone }) =>
    `${many(item, ["user was", "users were"])} invited, reset or given another role by one admin, the last ${relativeText(item.at ?? 0, nowMs, zone)}: another admin has to confirm`,
  events_abandoned: ({ item }) =>
    many(item, [
      "event could not be delivered and is no longer retried",
      "events could not be delivered and are no longer retried",
    ]),
};

const pressing: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  "bank_file_awaiting_approval",
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
              <li
                key={`${item.kind} ${item.name} ${item.at}`}
                data-pressing={pressing.has(item.kind)}
              >
                <Icon size={16} aria-hidden />
                <span>{lines[item.kind]({ item, nowMs, zone })}</span>
                <PageLink to={addressOf(item)}>Open</PageLink>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
