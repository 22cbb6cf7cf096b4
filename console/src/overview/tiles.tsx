// The five tiles: paid today, in progress, failed, identity checks pending, webhook success rate.

import type { ReactNode } from "react";
import { usePageOf } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { countText } from "../state/locale.ts";
import { amountText, moneyText, type Sum } from "../state/money.ts";
import { useNow } from "../state/now.ts";
import { spanText } from "../state/time.ts";
import { overviewTexts } from "../texts/overview.ts";
import { useListAddress } from "./buckets.ts";
import { changeText, shareText } from "./figures.ts";
import styles from "./overview.module.css";
import type { Overview } from "./overview.ts";

export function Tiles({ overview }: { overview: Overview }) {
  return (
    <div className={styles.tiles}>
      <Paid overview={overview} />
      <InFlight overview={overview} />
      <Failed overview={overview} />
      <KycWaiting overview={overview} />
      <Webhooks overview={overview} />
    </div>
  );
}

function Tile({
  label,
  to,
  figure,
  isLong = false,
  spark,
  children,
}: {
  label: string;
  /** The list behind the figure. */
  to: string;
  figure: ReactNode;
  /** More digits than fit in large type. */
  isLong?: boolean;
  spark?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.tile} aria-label={label}>
      <PageLink to={to} className={styles.tileLabel ?? ""}>
        {label}
      </PageLink>
      <div className={styles.tileFigure} data-long={isLong || undefined}>
        {figure}
      </div>
      <div className={styles.tileLines}>{children}</div>
      {spark}
    </section>
  );
}

function Paid({ overview: { tiles, range, currency } }: { overview: Overview }) {
  const address = useListAddress();
  const [first, ...others] = tiles.paid;
  const to = address("payouts", undefined, { status: "successful", currency });
  if (!first) return <Tile label={overviewTexts.paidToday} to={to} figure="0" />;
  const change = changeText(Number(first.amount), Number(first.amount_before));
  const label = `Paid in ${first.currency}, over ${range}`;
  return (
    <Tile
      label={overviewTexts.paidToday}
      to={to}
      figure={<Money amount={first.amount} currency={first.currency} />}
      isLong={amountText(first.amount, first.currency).length > 10}
      spark={<Sparkline bars={barsOf(first.spark)} label={label} tone="paid" />}
    >
      <span>{change ? `${change} vs. yesterday, same time` : "None yesterday by this time"}</span>
      <Amounts of={others} />
    </Tile>
  );
}

function InFlight({ overview: { tiles, currency } }: { overview: Overview }) {
  const { count, amounts, oldest_at } = tiles.in_flight;
  const address = useListAddress();
  const nowMs = useNow();
  return (
    <Tile
      label="In progress"
      to={address("payouts", undefined, { status: "pending", currency })}
      figure={countText(count)}
    >
      <Amounts of={amounts.filter(({ amount }) => Number(amount) > 0)} />
      <span>
        {oldest_at === null
          ? "Nothing in progress"
          : overviewTexts.oldest(spanText(nowMs - oldest_at))}
      </span>
    </Tile>
  );
}

function Failed({ overview: { tiles, range, buckets, currency } }: { overview: Overview }) {
  const { count, of, spark } = tiles.failed;
  const address = useListAddress();
  const [first, last] = [buckets[0], buckets.at(-1)];
  const whole = first && last && { from: first.from, to: last.to };
  return (
    <Tile
      label={`Failed, ${range}`}
      to={address("payouts", whole, { status: "failed", currency })}
      figure={countText(count)}
      spark={
        <Sparkline bars={barsOf(spark)} label={`Failed payouts, over ${range}`} tone="failed" />
      }
    >
      <span>{of === 0 ? "No payouts" : `${shareText(count, of)} of ${countText(of)}`}</span>
    </Tile>
  );
}

function KycWaiting({ overview: { tiles } }: { overview: Overview }) {
  const { count, is_more, oldest_at } = tiles.kyc_waiting;
  const address = useListAddress();
  const nowMs = useNow();
  return (
    <Tile
      label="Identity checks pending"
      to={address("receivers", undefined, { kyc_status: "pending" })}
      figure={countText(count, is_more)}
    >
      <span>
        {oldest_at === null ? "None waiting" : overviewTexts.oldest(spanText(nowMs - oldest_at))}
      </span>
    </Tile>
  );
}

function Webhooks({ overview: { tiles, range } }: { overview: Overview }) {
  const { attempts, delivered, p95_ms } = tiles.webhooks;
  const pageOf = usePageOf();
  return (
    <Tile
      label={`Webhook success rate, ${range}`}
      to={pageOf("webhooks")}
      figure={shareText(delivered, attempts)}
    >
      <span>{p95_ms === null ? "No attempts" : `p95 ${spanText(p95_ms)}`}</span>
      {attempts > 0 && <span>{`${countText(attempts)} attempts`}</span>}
    </Tile>
  );
}

const amountsMax = 3;

/** The busiest currencies; the tooltip has the others. */
function Amounts({ of }: { of: readonly { amount: Sum; currency: string }[] }) {
  const rest = of.slice(amountsMax);
  return (
    <>
      {of.slice(0, amountsMax).map(({ amount, currency }) => (
        <span key={currency}>
          <Money amount={amount} currency={currency} />
        </span>
      ))}
      {rest.length > 0 && (
        <span title={rest.map((one) => moneyText(one.amount, one.currency)).join(", ")}>
          {rest.length === 1 ? "1 more currency" : `${rest.length} more currencies`}
        </span>
      )}
    </>
  );
}

function barsOf(values: readonly (number | string)[]) {
  return values.map((value) => ({ value: Number(value) }));
}
