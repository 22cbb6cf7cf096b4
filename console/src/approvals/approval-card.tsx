// One request for approval: what it is, who requested it and when, until when, what approving does, and its actions.

import { Badge, Button, Checkbox, Group, Text } from "@mantine/core";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { useId } from "react";
import { Check, X } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useNow } from "../state/now.ts";
import { whoText } from "../state/who.ts";
import { approvalsTexts } from "../texts/approvals.ts";
import { ApprovalFacts } from "./approval-facts.tsx";
import styles from "./approvals.module.css";
import { kinds, titleOf } from "./kinds.ts";

export type CardActs = { onChoose: () => void; onApprove: () => void; onDecline: () => void };

export function ApprovalCard({
  row,
  isCurrent,
  isChosen,
  ...acts
}: {
  row: Approval;
  /** Keyboard shortcuts act on this card. */
  isCurrent: boolean;
  isChosen: boolean;
} & CardActs) {
  const id = useId();
  const { kind, payout, why_not, subaccount_name } = row;
  const { icon: Icon, happens } = kinds[kind];
  return (
    <article
      className={styles.card}
      data-approval={row.id}
      data-chosen={isChosen || undefined}
      data-current={isCurrent || undefined}
      aria-current={isCurrent || undefined}
      aria-labelledby={id}
    >
      <div className={styles.mark}>
        {payout && !why_not ? (
          <Checkbox
            checked={isChosen}
            onChange={acts.onChoose}
            aria-label={`Select ${titleOf(row)}`}
            size="sm"
          />
        ) : (
          <Icon size={16} aria-hidden />
        )}
      </div>
      <div className={styles.what}>
        <Group gap="xs" align="baseline">
          <h2 id={id} className={styles.title}>
            <Title row={row} />
          </h2>
          {subaccount_name ? <Status of="mode" value={row.mode} /> : <Company />}
          <Until row={row} />
        </Group>
        <ApprovalFacts row={row} />
        {kind !== "payout" && (
          <Text size="sm" c="dimmed">
            {happens(row)}
          </Text>
        )}
        <Text size="xs" c="dimmed" mt={4}>
          {subaccount_name && `${subaccount_name} · `}requested by {whoText(row.made_by)} ·{" "}
          <When ms={row.made_at} />
        </Text>
      </div>
      <div className={styles.acts}>
        <Acts row={row} {...acts} />
      </div>
    </article>
  );
}

/** It concerns all subaccounts, test and live. */
function Company() {
  return (
    <Badge variant="light" color="gray" tt="none" fw={500}>
      Company
    </Badge>
  );
}

/** The name of a person or an object in it opens its page. */
function Title({ row }: { row: Approval }) {
  const { kind, payout, change, receiver_id, receiver_name } = row;
  const { page } = kinds[kind];
  const receiver = (
    <PageLink to={`/s/${row.subaccount_id}/receivers/${receiver_id}`} underline="always">
      {receiver_name}
    </PageLink>
  );
  if (payout && page) {
    return (
      <>
        <PageLink to={page(row)}>
          <Money amount={payout.amount} currency={payout.currency} />
        </PageLink>{" "}
        <span className={styles.to}>to </span>
        {receiver}
      </>
    );
  }
  if (change || kind === "erasure") {
    const what = !change
      ? approvalsTexts.erasure
      : change.is_new
        ? "New bank account"
        : "Change of bank details";
    return (
      <>
        {what} <span className={styles.to}>of </span>
        {receiver}
      </>
    );
  }
  const title = capital(titleOf(row));
  return page ? <PageLink to={page(row)}>{title}</PageLink> : title;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const hourMs = 3_600_000;
const expiresSoonMs = 72 * hourMs;
const cutoffSoonMs = 2 * hourMs;

/** The bank's cut-off, or when a request without a decision expires. */
function Until({ row: { cutoff, expires_at } }: { row: Approval }) {
  const nowMs = useNow();
  if (cutoff !== null) {
    const isLate = cutoff <= nowMs;
    const color = isLate || cutoff - nowMs < cutoffSoonMs ? "red" : "yellow";
    return (
      <Badge variant="light" color={color} tt="none" fw={500}>
        {isLate ? "Cut-off missed " : "Cut-off "}
        <When ms={cutoff} />
      </Badge>
    );
  }
  if (expires_at === null || expires_at - nowMs > expiresSoonMs) return null;
  return (
    <Badge variant="light" color="yellow" tt="none" fw={500}>
      Expires <When ms={expires_at} isPlanned />
    </Badge>
  );
}

function Acts({ row, onApprove, onDecline }: { row: Approval } & CardActs) {
  const { why_not, is_own, change, bank } = row;
  if (why_not) {
    return (
      <>
        <Badge variant="light" color="gray" tt="none" fw={500} h="auto">
          {why_not}
        </Badge>
        {is_own && canDecline(row) && (
          <Button size="compact-sm" variant="default" onClick={onDecline}>
            {approvalsTexts.withdraw}
          </Button>
        )}
      </>
    );
  }
  if (isOnPage(row)) {
    return (
      <LinkButton to={kinds[row.kind].page?.(row) ?? ""} size="compact-sm">
        {approvalsTexts.review}
      </LinkButton>
    );
  }
  return (
    <>
      {canDecline(row) && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<X size={14} aria-hidden />}
          onClick={onDecline}
        >
          {approvalsTexts.decline}
        </Button>
      )}
      {!change?.is_unreadable && !bank?.is_unreadable && (
        <Button size="compact-sm" leftSection={<Check size={14} aria-hidden />} onClick={onApprove}>
          {bank ? approvalsTexts.atBank.confirm : approvalsTexts.approve}
        </Button>
      )}
    </>
  );
}

/** Decided on its page, which asks for more than a click. */
export function isOnPage({ kind }: Approval): boolean {
  return kinds[kind].path === undefined;
}

/** A file is not declined but discarded, on its page. */
export function canDecline(row: Approval): boolean {
  return row.kind !== "bank_file" && !isOnPage(row);
}
