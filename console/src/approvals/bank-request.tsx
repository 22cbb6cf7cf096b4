// What waits at a bank for a second user: a file with its sums, a decision about money, or a mapping.

import { Text } from "@mantine/core";
import type { WaitingAtBank } from "@server/doors/console/bank-requests/schema.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { approvalsTexts } from "../texts/approvals.ts";
import styles from "./approvals.module.css";
import { FieldChanges } from "./field-changes.tsx";

const suspenseTitle = (act: string) => `Suspense: ${act}`;
const lineTitle = (act: string) => `Statement line: ${act}`;

export function BankRequestFacts({ bank }: { bank: WaitingAtBank }) {
  const { counts, sums, reason, changes } = bank;
  const page = pageOf(bank);
  return (
    <>
      {counts && (
        <Text size="sm">
          {`${counts.lines} ${counts.lines === 1 ? "report" : "reports"}: ${counts.applied} applied, ${counts.suspended} in suspense, ${counts.repeated} repeated`}
        </Text>
      )}
      <dl className={styles.changes}>
        {sums.map(({ kind, subaccount_id, subaccount_name, currency, count, amount }) => (
          <div key={`${kind} ${subaccount_id} ${currency}`}>
            <dt>{approvalsTexts.atBank.kinds[kind] ?? kind}</dt>
            <dd>
              {kind !== "proposed" && <Money amount={amount} currency={currency} />}{" "}
              {`${count} ${count === 1 ? "item" : "items"}`}
              {subaccount_name && ` · ${subaccount_name}`}
            </dd>
          </div>
        ))}
      </dl>
      {counts && sums.length === 0 && <Text size="sm">It moves no money.</Text>}
      {changes.length > 0 && <FieldChanges changes={changes} isNew={false} />}
      {reason && <Text size="sm">{`Reason: ${reason}`}</Text>}
      {page && (
        <Text size="sm">
          <PageLink to={page} underline="always">
            Open the item
          </PageLink>
        </Text>
      )}
    </>
  );
}

function pageOf({ what, object_id }: WaitingAtBank): string | undefined {
  if (what === "suspense") return `/banks/suspense/${object_id}`;
  if (what === "opening") return `/reconcile/banks/${object_id}`;
  return what === "statement_line" ? `/reconcile/lines/${object_id}` : undefined;
}

export function bankRequestTitle({ what, act, name }: WaitingAtBank): string {
  if (what === "file") return `File from a bank: ${name}`;
  if (what === "csv_mapping") return "Mapping for CSV statements";
  if (what === "opening") return "Opening balance: the company's money";
  return (what === "suspense" ? suspenseTitle : lineTitle)(approvalsTexts.atBank.kinds[act] ?? act);
}
