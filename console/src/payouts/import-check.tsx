// The result of checking a file: how it is read, its problems, and its totals, which the user types to confirm.

import { Alert, Button, Group, Stack, Table, Text } from "@mantine/core";
import type { FileCheck } from "@server/doors/console/imports/schema.ts";
import { type FormEvent, useState } from "react";
import { usePageOf } from "../api/me.ts";
import { CellProblems } from "../imports/cell-problems.tsx";
import styles from "../imports/import.module.css";
import { ReadingPanel } from "../imports/reading-panel.tsx";
import { RowsTable } from "../imports/rows-table.tsx";
import type { Chosen, ToldReading } from "../imports/use-import.ts";
import { AmountField } from "../parts/amount-field.tsx";
import { Missing } from "../parts/missing.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { amountText, moneyHint, readMoney, type Sum } from "../state/money.ts";
import { countsText } from "../texts/imports.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { NewPayees } from "./new-payees.tsx";

type Paid = FileCheck["preview"][number]["paid_by"];

/** What is sent beside the file: the totals that were typed, and the new receivers and accounts that were agreed to. */
export type Agreed = {
  totals: { currency: string; amount: number }[];
  new_payees?: { receivers: number; accounts: number };
};

export function CheckedFile({
  chosen: { name, check, told },
  isChecking,
  isStarting,
  onTell,
  onStart,
  onAgain,
}: {
  chosen: Chosen<FileCheck>;
  isChecking: boolean;
  isStarting: boolean;
  onTell: (told: ToldReading) => void;
  onStart: (agreed: Agreed) => void;
  onAgain: () => void;
}) {
  const { reading, problems, problem_count, wrong_rows, problem_file, waiting } = check;
  const { receivers, accounts } = waiting;
  const isUnread = reading.missing.length > 0;
  const ready = check.totals.reduce((sum, { payouts }) => sum + payouts, 0);
  const counts = JSON.stringify([receivers, accounts]);
  // What was agreed to is about these counts.
  const [agreedCounts, setAgreedCounts] = useState("");
  const isAgreed = agreedCounts === counts;
  const created = isAgreed ? { receivers, accounts } : undefined;
  return (
    <>
      <ReadingPanel reading={reading} isBusy={isChecking} onTell={onTell} />
      {wrong_rows > 0 && (
        <CellProblems
          name={name}
          problems={problems}
          problemCount={problem_count}
          wrongRows={wrong_rows}
          problemFile={problem_file}
          edits={told.edits ?? []}
          isBusy={isChecking}
          onCheck={(edits) => onTell({ edits })}
        />
      )}
      {waiting.count > 0 && (
        <NewPayees
          name={name}
          waiting={waiting}
          isAgreed={isAgreed}
          onAgree={(agrees) => setAgreedCounts(agrees ? counts : "")}
        />
      )}
      <Panel
        title={
          isUnread
            ? name
            : `${name}: ${ready === 0 ? "nothing to pay now" : `${rowsText(ready)} ready`}`
        }
      >
        {isUnread ? (
          <Button variant="default" onClick={onAgain}>
            {payoutsTexts.chooseAnotherFile}
          </Button>
        ) : (
          <Release
            // What was typed is about these totals.
            key={JSON.stringify(check.totals)}
            check={check}
            created={created}
            isStarting={isStarting}
            onStart={onStart}
            onAgain={onAgain}
          />
        )}
      </Panel>
    </>
  );
}

const rowsText = (count: number) => (count === 1 ? "1 row" : `${countText(count)} rows`);

function Release({
  check,
  created,
  isStarting,
  onStart,
  onAgain,
}: {
  check: FileCheck;
  /** What is created first. */
  created: Agreed["new_payees"];
  isStarting: boolean;
  onStart: (agreed: Agreed) => void;
  onAgain: () => void;
}) {
  const due = check.totals.filter(({ payouts }) => payouts > 0);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const agreed = due.flatMap(({ currency, amount }) => {
    const read = readMoney(typed[currency] ?? "", currency);
    return read !== undefined && read === amount ? [{ currency, amount: read }] : [];
  });
  const isAgreed = agreed.length === due.length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isAgreed) onStart({ totals: agreed, ...(created && { new_payees: created }) });
  };
  const payouts = due.reduce((sum, total) => sum + total.payouts, 0);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {check.totals.length > 0 && <Totals check={check} />}
        {check.waiting.totals.map((later) => (
          <Later key={later.currency} {...later} now={totalOf(check, later.currency)} />
        ))}
        <Payees check={check} />
        {check.wrong_rows > 0 && (
          <Alert color="yellow" variant="light">
            {`${rowsText(check.wrong_rows)} with problems ${check.wrong_rows === 1 ? "is" : "are"} not paid.`}
          </Alert>
        )}
        {check.remarks.map((remark) => (
          <Alert key={remark} color="yellow" variant="light">
            {remark}
          </Alert>
        ))}
        {due.map(({ currency, amount }) => (
          <AmountField
            key={currency}
            label={`Type the ${currency} total to confirm`}
            description={`From your own records,${isPartLater(check, currency) ? " without what is paid later," : ""} to make sure that this is the right file`}
            currency={currency}
            maw={320}
            value={typed[currency] ?? ""}
            error={typedError(typed[currency] ?? "", { currency, amount })}
            onChange={(event) => setTyped({ ...typed, [currency]: event.currentTarget.value })}
          />
        ))}
        <Group justify="space-between">
          <Button variant="default" onClick={onAgain} disabled={isStarting}>
            {payoutsTexts.chooseAnotherFile}
          </Button>
          {(payouts > 0 || created) && (
            <Group gap="sm">
              <Missing
                text={
                  !isAgreed &&
                  `Type the ${due.map(({ currency }) => currency).join(" and ")} total first.`
                }
              />
              <Button type="submit" disabled={!isAgreed} loading={isStarting}>
                {`Create ${countsText({ receivers: 0, accounts: 0, ...created, payouts })}`}
              </Button>
            </Group>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const isPartLater = ({ waiting }: FileCheck, currency: string) =>
  waiting.totals.some((later) => later.currency === currency);

/** What is paid now. */
function totalOf({ totals }: FileCheck, currency: string): Sum {
  return totals.find((total) => total.currency === currency)?.amount ?? 0;
}

/** The sum that the user's own records have: the payouts of now and of later. */
function Later({ currency, amount, now }: { currency: string; amount: Sum; now: Sum }) {
  return (
    <Text size="sm">
      <Money amount={String(BigInt(now) + BigInt(amount))} currency={currency} /> in all, of which{" "}
      <Money amount={amount} currency={currency} /> to new payees, paid after approval
    </Text>
  );
}

/** Shown once as many digits are typed as the total has: before that it may still become right. */
function typedError(
  text: string,
  { currency, amount }: { currency: string; amount: Sum },
): string | undefined {
  const digitsOf = (shown: string) => shown.match(/\p{Nd}/gu)?.length ?? 0;
  if (digitsOf(text) < digitsOf(amountText(amount, currency))) return undefined;
  const read = readMoney(text, currency);
  if (read === undefined) return moneyHint(currency);
  return read === amount ? undefined : "Doesn't match the file total";
}

/** On a phone each row is a block. */
const numbers = { base: "left", sm: "right" } as const;

/** Who is paid: before money is released, and not only how much. */
function Payees({ check: { preview, totals } }: { check: FileCheck }) {
  if (preview.length === 0) return null;
  const rows = totals.reduce((sum, total) => sum + total.payouts + total.imported_before, 0);
  const shown = countText(preview.length);
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {payoutsTexts.whoIsPaid}
      </Text>
      <RowsTable
        label={payoutsTexts.whoIsPaid}
        isStacked
        head={
          <>
            <Table.Th ta="right">{payoutsTexts.row}</Table.Th>
            <Table.Th>{payoutsTexts.receiver}</Table.Th>
            <Table.Th ta="right">{payoutsTexts.amount}</Table.Th>
            <Table.Th>{payoutsTexts.bankAccount}</Table.Th>
            <Table.Th>{payoutsTexts.reference}</Table.Th>
            <Table.Th>State</Table.Th>
          </>
        }
        rows={preview.map(
          ({ row, receiver, amount, currency, bank, account, reference, paid_by }) => (
            <Table.Tr key={row}>
              <Table.Td data-title={payoutsTexts.row} ta={numbers}>
                {row}
              </Table.Td>
              <Table.Td data-title={payoutsTexts.receiver}>{receiver}</Table.Td>
              <Table.Td data-title={payoutsTexts.amount} ta={numbers}>
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td data-title={payoutsTexts.bankAccount}>
                {`${bank} ${account}`.trim()}
              </Table.Td>
              <Table.Td data-title={payoutsTexts.reference}>{reference || "–"}</Table.Td>
              <Table.Td data-title="State">
                {paid_by ? <PaidBy {...paid_by} /> : "Ready now"}
              </Table.Td>
            </Table.Tr>
          ),
        )}
        rest={preview.length < rows ? `${shown} of ${countText(rows)} rows` : undefined}
        pad={0}
      />
    </div>
  );
}

function PaidBy({ payout_id, import_id, file_name, at }: NonNullable<Paid>) {
  const pageOf = usePageOf();
  const by = import_id === "" ? "" : ` by the import of ${file_name || "a file"}`;
  return (
    <span>
      <PageLink to={pageOf("payouts", payout_id)}>{`Paid${by}`}</PageLink>, <When ms={at} isDate />
    </span>
  );
}

function Totals({ check: { totals } }: { check: FileCheck }) {
  return (
    // A scrolling area must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles.totals} aria-label="Totals" tabIndex={0}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{payoutsTexts.currency}</Table.Th>
            <Table.Th ta="right">{payoutsTexts.payouts}</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
            <Table.Th ta="right">Available</Table.Th>
            <Table.Th ta="right">Shortfall</Table.Th>
            <Table.Th ta="right">Already imported</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map(({ currency, payouts, amount, available, short, imported_before }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              <Table.Td ta="right">{countText(payouts)}</Table.Td>
              <Table.Td ta="right">
                <Money amount={amount} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={available} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                {Number(short) > 0 ? <Money amount={short} currency={currency} /> : "–"}
              </Table.Td>
              <Table.Td ta="right">{countText(imported_before)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
