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
        <dd className={styles.hint}>{balancesTexts.availableHint}</dd>
      </div>
      <div>
        <dt>{balancesTexts.held}</dt>
        <dd>
          <PageLink to={pending}>
            <Money amount={held} currency={currency} />
          </PageLink>
        </dd>
        <dd className={styles.hint}>{balancesTexts.heldHint}</dd>
      </div>
      <div>
        <dt>{balancesTexts.inTransit}</dt>
        <dd>
          <PageLink to={pending}>
            <Money amount={in_transit} currency={currency} />
          </PageLink>
        </dd>
        <dd className={styles.hint}>{balancesTexts.inTransitHint}</dd>
      </div>
      <div data-wide>
        <dt>{balancesTexts.lasts}</dt>
        <dd>{span}</dd>
        <dd className={styles.hint}>{hint}</dd>
      </div>
    </dl>
  );
}

const daysOfYear = 365;

function lastingTexts(lasts: BalanceOfCurrency["lasts"], currency: string): [string, string] {
  if (!lasts) return ["–", balancesTexts.noEstimate];
  const { days, average, of_days } = lasts;
  const hint = balancesTexts.atTheAverage(moneyText(average, currency), of_days);
  if (days > daysOfYear) return [balancesTexts.moreThanAYear, hint];
  return [days === 0 ? balancesTexts.lessThanADay : balancesTexts.lastsDays(days), hint];
}
