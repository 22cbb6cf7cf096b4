// What a request for approval is about, by its kind: account, reference, reasons, changes and sums.

import { Text } from "@mantine/core";
import type { Approval } from "@server/doors/console/approvals/schema.ts";
import type { Role } from "@server/tenants/roles/user.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { reasonText } from "../payouts/approval-reason.ts";
import { RuleChanges } from "../rules/rule-changes.tsx";
import { moneyText } from "../state/money.ts";
import { plannedTimeText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { useZone, type Zone } from "../state/zone.ts";
import { approvalsTexts } from "../texts/approvals.ts";
import { batchesTexts } from "../texts/batches.ts";
import { roleName } from "../users/roles.ts";
import styles from "./approvals.module.css";
import { BankRequestFacts } from "./bank-request.tsx";
import { FieldChanges } from "./field-changes.tsx";
import { WholeNumbers } from "./whole-numbers.tsx";

export function ApprovalFacts({ row }: { row: Approval }) {
  const { change, request, file, bank } = row;
  return (
    <>
      <PayoutFacts row={row} />
      <Sums row={row} />
      {file && (
        <Text size="sm" c="dimmed">
          {`${batchesTexts.payoutsCount(file.payouts)} from ${file.account} · ${file.file_name} · process date ${file.process_date}`}
        </Text>
      )}
      {file && <ApprovedBy who={file.approved_by} />}
      {change && <WholeNumbers path={`/s/${row.subaccount_id}/bank-changes/${row.id}`} />}
      {request?.note && <Text size="sm">{`“${request.note}”`}</Text>}
      <Changes row={row} />
      {bank && <BankRequestFacts bank={bank} />}
      {(change?.is_unreadable || bank?.is_unreadable) && (
        <Text size="sm" c="red">
          {approvalsTexts.cantBeDecrypted}
        </Text>
      )}
    </>
  );
}

function PayoutFacts({ row }: { row: Approval }) {
  const { payout, account_number, country } = row;
  const account = [account_number, payout?.bank_name, country, payout?.reference]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      {account && (
        <Text size="sm" c="dimmed">
          {account}
          {payout?.note && ` · “${payout.note}”`}
        </Text>
      )}
      {payout?.batch_id && (
        <Text size="sm">
          <PageLink to={`/s/${row.subaccount_id}/batches/${payout.batch_id}`} underline="always">
            Part of a batch: decide it as one
          </PageLink>
        </Text>
      )}
      {payout && payout.reasons.length > 0 && (
        <Text size="sm">
          {needsApproval(payout.reasons.map((one) => reasonText(one, payout.currency, "that day")))}
        </Text>
      )}
      {payout && payout.rules.length > 0 && (
        <Text size="sm">{`Rules ask for approval: ${payout.rules.join("; ")}.`}</Text>
      )}
      {payout && <ApprovedBy who={payout.approved_by} />}
    </>
  );
}

const needsApproval = (reasons: readonly string[]) =>
  `Needs approval because ${reasons.join(approvalsTexts.and)}.`;

function ApprovedBy({ who }: { who: readonly string[] }) {
  if (who.length === 0) return null;
  return <Text size="sm">{`Approved so far by ${who.map(whoText).join(", ")}.`}</Text>;
}

function Sums({ row: { sums, kind } }: { row: Approval }) {
  if (!sums) return null;
  const reasons = sums.reasons.map((one) => reasonText(one, one.currency, "that day"));
  return (
    <>
      {reasons.length > 0 && <Text size="sm">{needsApproval(reasons)}</Text>}
      <dl className={styles.changes}>
        {sums.totals.map(({ currency, payouts, amount }) => (
          <div key={currency}>
            <dt>{kind === "batch" ? batchesTexts.payoutsCount(payouts) : "Amount"}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
              {sums.is_partial && " and more: open the batch to see all"}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function Changes({ row }: { row: Approval }) {
  const { kind, change, request } = row;
  const zone = useZone();
  if (change) return <FieldChanges changes={change.changes} isNew={change.is_new} />;
  if (!request || request.changes.length === 0 || kind === "erasure") return null;
  if (kind === "rules") {
    const changes = request.changes.map((one, at) => ({
      rule_id: String(at),
      kind: one.field as "added",
      before: one.before,
      after: one.after,
    }));
    return <RuleChanges changes={changes} />;
  }
  const isChange = kind === "limits" || request.verb === "change" || request.verb === "enable";
  return <FieldChanges changes={shownChanges(row, zone)} isNew={!isChange} />;
}

function tokenFact(field: string, value: string, zone: Zone): string {
  if (field === "role") return roleName(value as Role);
  if (field === "expires_at") return plannedTimeText(Date.parse(value), Date.now(), zone);
  return value;
}

/** Amounts of limits as money; the role and the times of a token as the list of tokens has them. */
function shownChanges({ kind, request }: Approval, zone: Zone) {
  const { changes = [], object = "" } = request ?? {};
  if (kind === "token") {
    return changes.map((one) => ({ ...one, after: tokenFact(one.field, one.after, zone) }));
  }
  if (kind !== "limits") return changes;
  const shown = (minor: string) => (minor === "" ? "none" : moneyText(Number(minor), object));
  return changes.map(({ field, before, after }) => ({
    field,
    before: shown(before),
    after: shown(after),
  }));
}
