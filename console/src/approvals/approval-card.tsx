// One request for approval: what it is, who requested it and when, and its actions.

import { Badge, Button, Checkbox, Group, Text } from "@mantine/core";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { useId } from "react";
import {
  ArrowLeftRight,
  Check,
  Eraser,
  FileUp,
  KeyRound,
  Landmark,
  RefreshCw,
  X,
} from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { reasonText } from "../payouts/approval-reason.ts";
import { moneyText } from "../state/money.ts";
import { whoText } from "../state/who.ts";
import { approvalsTexts } from "../texts/approvals.ts";
import styles from "./approvals.module.css";
import { BankRequestFacts, bankRequestTitle } from "./bank-request.tsx";
import { FieldChanges } from "./field-changes.tsx";
import { WholeNumbers } from "./whole-numbers.tsx";

const icons = {
  payout: ArrowLeftRight,
  bank_change: Landmark,
  key: KeyRound,
  rotation: RefreshCw,
  limits: KeyRound,
  erasure: Eraser,
  bank_request: FileUp,
};

export function ApprovalCard({
  row,
  isCurrent,
  isChosen,
  onChoose,
  onApprove,
  onDecline,
}: {
  row: Approval;
  /** Keyboard shortcuts act on this card. */
  isCurrent: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onApprove: () => void;
  onDecline: () => void;
}) {
  const id = useId();
  const { payout, change, request, bank, is_own, why_not } = row;
  const pageOf = (...parts: string[]) => `/s/${[row.subaccount_id, ...parts].join("/")}`;
  const isErasure = row.kind === "erasure";
  const Icon = icons[row.kind as keyof typeof icons];
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
            onChange={onChoose}
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
            {payout ? (
              <PageLink to={pageOf("payouts", row.id)}>
                <Money amount={payout.amount} currency={payout.currency} />
              </PageLink>
            ) : isErasure ? (
              approvalsTexts.erasure
            ) : request || bank ? (
              titleOf(row)
            ) : change?.is_new ? (
              "New bank account"
            ) : (
              "Change of bank details"
            )}{" "}
            {((!request && !bank) || isErasure) && (
              <>
                <span className={styles.to}>{payout ? "to" : "of"} </span>
                <PageLink to={pageOf("receivers", row.receiver_id)} underline="always">
                  {row.receiver_name}
                </PageLink>
              </>
            )}
          </h2>
          <Status of="mode" value={row.mode} />
        </Group>
        <Text size="sm" c="dimmed">
          {[row.account_number, payout?.bank_name, row.country].filter(Boolean).join(" · ")}
          {payout?.reference && ` · ${payout.reference}`}
          {payout?.note && ` · “${payout.note}”`}
        </Text>
        {payout?.batch_id && (
          <Text size="sm">
            <PageLink to={pageOf("batches", payout.batch_id)} underline="always">
              Part of a batch: decide it as one
            </PageLink>
          </Text>
        )}
        {payout && payout.reasons.length > 0 && (
          <Text size="sm">
            {`Needs approval because ${payout.reasons
              .map((one) => reasonText(one, payout.currency, "that day"))
              .join(approvalsTexts.and)}.`}
          </Text>
        )}
        {payout && payout.rules.length > 0 && (
          <Text size="sm">{`Rules ask for approval: ${payout.rules.join("; ")}.`}</Text>
        )}
        {payout && payout.approved_by.length > 0 && (
          <Text size="sm">
            {`Approved so far by ${payout.approved_by.map(whoText).join(", ")}.`}
          </Text>
        )}
        {change?.is_unreadable && (
          <Text size="sm" c="red">
            {approvalsTexts.cantBeDecrypted}
          </Text>
        )}
        {change && <FieldChanges changes={change.changes} isNew={change.is_new} />}
        {change && <WholeNumbers path={`/s/${row.subaccount_id}/bank-changes/${row.id}`} />}
        {request && !isErasure && (
          <FieldChanges changes={shownChanges(row)} isNew={row.kind !== "limits"} />
        )}
        {bank && <BankRequestFacts bank={bank} />}
        {bank?.is_unreadable && (
          <Text size="sm" c="red">
            {approvalsTexts.cantBeDecrypted}
          </Text>
        )}
        <Text size="xs" c="dimmed" mt={4}>
          {row.subaccount_name} · requested by {whoText(row.made_by)} · <When ms={row.made_at} />
        </Text>
      </div>
      <div className={styles.acts}>
        {why_not ? (
          <>
            <Badge variant="light" color="gray" tt="none" fw={500} h="auto">
              {why_not}
            </Badge>
            {is_own && (
              <Button size="compact-sm" variant="default" onClick={onDecline}>
                {approvalsTexts.withdraw}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<X size={14} aria-hidden />}
              onClick={onDecline}
            >
              {approvalsTexts.decline}
            </Button>
            {!change?.is_unreadable && !bank?.is_unreadable && (
              <Button
                size="compact-sm"
                leftSection={<Check size={14} aria-hidden />}
                onClick={onApprove}
              >
                {bank ? approvalsTexts.atBank.confirm : approvalsTexts.approve}
              </Button>
            )}
          </>
        )}
      </div>
    </article>
  );
}

/** Amounts of limits as money. */
export function shownChanges({ kind, request }: Approval) {
  const { changes = [], object = "" } = request ?? {};
  if (kind !== "limits") return changes;
  const shown = (minor: string) => (minor === "" ? "none" : moneyText(Number(minor), object));
  return changes.map(({ field, before, after }) => ({
    field,
    before: shown(before),
    after: shown(after),
  }));
}

export function titleOf({ kind, payout, change, request, bank, receiver_name }: Approval): string {
  if (bank) return bankRequestTitle(bank);
  if (kind === "erasure") return `erasure of ${receiver_name}`;
  if (request) {
    const { object } = request;
    if (kind === "rotation") return `New secret of API key ${object}`;
    return kind === "key" ? `API key ${object}` : `Limits in ${object}`;
  }
  if (payout) return `payout to ${receiver_name}`;
  return change?.is_new
    ? `new bank account of ${receiver_name}`
    : `change of bank details of ${receiver_name}`;
}
