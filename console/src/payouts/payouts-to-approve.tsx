// The payouts that an approval is about. Amounts, receivers and accounts stand in lines, so that a phone shows all of them.

import { Text } from "@mantine/core";
import type { PayoutLine } from "@server/doors/console/payouts/schema.ts";
import { Facts } from "../parts/facts.tsx";
import { Money } from "../parts/money.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import type { Sum } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payouts-to-approve.module.css";

export type PayoutToApprove = {
  id: string;
  amount: number;
  currency: string;
  receiver: string;
  /** Masked. */
  account: string;
  reference: string;
  /** Shown where payouts of several subaccounts are listed. */
  subaccount?: string;
};

export function toPayoutToApprove(payout: PayoutLine): PayoutToApprove {
  const { id, amount, currency, receiver, account, reference } = payout;
  return {
    id,
    amount,
    currency,
    receiver: receiver.name,
    account: accountText(account),
    reference,
  };
}

/** The masked account number and the bank. */
export function accountText({ tail, bank_name }: { tail: string; bank_name: string }): string {
  return [tail, bank_name].filter(Boolean).join(" · ");
}

/** All are of one mode: real money and test money are never approved together. */
export function PayoutsToApprove({
  mode,
  payouts,
}: {
  mode: string;
  payouts: readonly PayoutToApprove[];
}) {
  const [first] = payouts;
  if (payouts.length === 1 && first) return <OnePayout mode={mode} payout={first} />;
  return (
    <>
      <TotalsToApprove mode={mode} totals={totalsOf(payouts)} />
      <ul className={styles.list} aria-label="Selected payouts">
        {payouts.map(({ id, amount, currency, receiver, account, reference, subaccount }) => (
          <li key={id}>
            <span>
              <Money amount={amount} currency={currency} /> {`to ${receiver}`}
            </span>
            <Text size="xs" c="dimmed">
              {[account, reference, subaccount].filter(Boolean).join(" · ")}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

function OnePayout({ mode, payout }: { mode: string; payout: PayoutToApprove }) {
  const { amount, currency, receiver, account, reference, subaccount } = payout;
  return (
    <Facts
      items={[
        { label: payoutsTexts.amount, value: <Amount amount={amount} currency={currency} /> },
        { label: payoutsTexts.receiver, value: receiver },
        { label: payoutsTexts.bankAccount, value: account },
        { label: payoutsTexts.reference, value: reference },
        subaccount !== undefined && { label: "Subaccount", value: subaccount },
        { label: payoutsTexts.mode, value: <Status of="mode" value={mode} /> },
      ]}
    />
  );
}

/** Totals in lines: a table with these columns is wider than a phone. */
export function TotalsToApprove({ mode, totals }: { mode: string; totals: readonly Total[] }) {
  return (
    <Facts
      items={[
        ...totals.map(({ currency, amount, payouts }) => ({
          label: `Total in ${currency}`,
          value: (
            <>
              <Amount amount={amount} currency={currency} /> ·{" "}
              {`${countText(payouts)} ${payouts === 1 ? "payout" : "payouts"}`}
            </>
          ),
        })),
        { label: payoutsTexts.mode, value: <Status of="mode" value={mode} /> },
      ]}
    />
  );
}

function Amount({ amount, currency }: { amount: Sum; currency: string }) {
  return (
    <strong className={styles.total}>
      <Money amount={amount} currency={currency} />
    </strong>
  );
}

type Total = { currency: string; amount: Sum; payouts: number };

function totalsOf(payouts: readonly PayoutToApprove[]): Total[] {
  const totals = new Map<string, { amount: bigint; count: number }>();
  for (const { amount, currency } of payouts) {
    const { amount: sum, count } = totals.get(currency) ?? { amount: 0n, count: 0 };
    totals.set(currency, { amount: sum + BigInt(amount), count: count + 1 });
  }
  return [...totals]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { amount, count }]) => ({
      currency,
      amount: amount.toString(),
      payouts: count,
    }));
}
