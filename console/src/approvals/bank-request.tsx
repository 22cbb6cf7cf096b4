// What waits at a bank for a second user: a file with its sums, a decision about money, or a mapping.

import { Text } from "@mantine/core";
import type { WaitingAtBank } from "@server/console/bank-requests/schema.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { approvalsTexts } from "../texts/approvals.ts";
import styles from "./approvals.module.css";
import { FieldChanges } from "./field-changes.tsx";

const texts = approvalsTexts.atBank;

export function BankRequestFacts({ bank }: { bank: WaitingAtBank }) {
  const { counts, sums, reason, changes } = bank;
  const page = pageOf(bank);
  return (
    <>
      {counts && (
        <Text size="sm">
          {texts.counts(counts.lines, counts.applied, counts.suspended, counts.repeated)}
        </Text>
      )}
      <dl className={styles.changes}>
        {sums.map(({ kind, subaccount_id, subaccount_name, currency, count, amount }) => (
          <div key={`${kind} ${subaccount_id} ${currency}`}>
            <dt>{texts.kinds[kind] ?? kind}</dt>
            <dd>
              {kind !== "proposed" && <Money amount={amount} currency={currency} />}{" "}
              {texts.items(count)}
              {subaccount_name && ` · ${subaccount_name}`}
            </dd>
          </div>
        ))}
      </dl>
      {counts && sums.length === 0 && <Text size="sm">{texts.noMoney}</Text>}
      {changes.length > 0 && <FieldChanges changes={changes} isNew={false} />}
      {reason && <Text size="sm">{texts.reason(reason)}</Text>}
      {page && (
        <Text size="sm">
          <PageLink to={page} underline="always">
            {texts.open}
          </PageLink>
        </Text>
      )}
    </>
  );
}

function pageOf({ what, object_id }: WaitingAtBank): string | undefined {
  if (what === "suspense") return `/banks/suspense/${object_id}`;
  return what === "statement_line" ? `/reconcile/lines/${object_id}` : undefined;
}

export function bankRequestTitle({ what, act, name }: WaitingAtBank): string {
  if (what === "file") return texts.file(name);
  if (what === "csv_mapping") return texts.mapping;
  return (what === "suspense" ? texts.suspense : texts.line)(texts.kinds[act] ?? act);
}
