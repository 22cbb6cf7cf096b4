// The figures of one balance: available, held, in transit, and how long it lasts.

import { usePageOf } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { moneyText } from "../state/money.ts";
import { balancesTexts } from "../texts/balances.ts";
import styles from "./balances.module.css";
import type { BalanceOfCurrency } from "./balances.ts";

export function BalanceFigures({ balance }: { balance: BalanceOfCurrency }) {
  const { currency, available, held, in_transit, lasts } = balance;
  const pageOf = usePageOf();
  const pending = `${pageOf("payouts")}?${new URLSearchParams({ status: "pending", currency })}`;
  const [span, hint] = lastingTexts(lasts, currency);
  return (
    <dl className={styles.figures}>
      <div data-main>
        <dt>{balancesTexts.available}</dt>
        <dd>
          <Money amount={available} currency={currency} />
        </dd>
        <dd className={styles.hint}>Can be paid out</dd>
      </div>
      <div>
        <dt>{balancesTexts.held}</dt>
        <dd>
          <PageLink to={pending}>
            <Money amount={held} currency={currency} />
          </PageLink>
        </dd>
        <dd className={styles.hint}>For payouts that are not sent yet</dd>
      </div>
      <div>
        <dt>{balancesTexts.inTransit}</dt>
        <dd>
          <PageLink to={pending}>
            <Money amount={in_transit} currency={currency} />
          </PageLink>
        </dd>
        <dd className={styles.hint}>Sent to the bank, not confirmed yet</dd>
      </div>
      <div data-wide>
        <dt>Lasts</dt>
        <dd>{span}</dd>
        <dd className={styles.hint}>{hint}</dd>
      </div>
    </dl>
  );
}

const daysOfYear = 365;

function lastingTexts(lasts: BalanceOfCurrency["lasts"], currency: string): [string, string] {
  if (!lasts) return ["–", "No estimate: it needs at least 7 days, with payouts"];
  const { days, average, of_days } = lasts;
  const hint = `at ${moneyText(average, currency)} a day, the average of the last ${of_days} days`;
  if (days > daysOfYear) return ["More than a year", hint];
  return [days === 0 ? "Less than a day" : days === 1 ? "1 day" : `${days} days`, hint];
}
