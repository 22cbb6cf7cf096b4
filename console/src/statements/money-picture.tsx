// Where the money is, as one drawing: whose it is by the books on the left, where it is by statements on the right. Every
// figure leads to its lines.

import { Text } from "@mantine/core";
import type { MoneyPicture as Picture } from "@server/console/statements/schema.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import type { Sum } from "../state/money.ts";
import { statementsTexts } from "../texts/statements.ts";
import { flowsOf } from "./flows.ts";
import styles from "./money-picture.module.css";
import { isZero } from "./sums.ts";

type Figure = {
  key: string;
  name: string;
  hint?: string;
  note?: string;
  amount: Sum;
  to: string;
  /** Names its colour. */
  tone: string;
};

const rowHeight = 54;

export function MoneyPicture({ picture }: { picture: Picture }) {
  const { currency, books } = picture;
  const left = ofBooks(picture);
  const right = ofBanks(picture);
  const height = Math.max(left.length, right.length) * rowHeight;
  return (
    <figure className={styles.picture} aria-label={statementsTexts.money}>
      <Text component="figcaption" size="sm" c="dimmed" className={styles.caption}>
        {statementsTexts.moneyHint}
      </Text>
      <div className={styles.heads}>
        <span>{statementsTexts.byBooks}</span>
        <span className={styles.total}>
          {statementsTexts.inTheBooks} <Money amount={books} currency={currency} />
        </span>
        <span>{statementsTexts.byStatements}</span>
      </div>
      <div className={styles.body} style={{ height }}>
        <Figures figures={left} currency={currency} side="left" />
        <Flows left={left} right={right} height={height} />
        <Figures figures={right} currency={currency} side="right" />
      </div>
    </figure>
  );
}

function ofBooks(picture: Picture): Figure[] {
  const { mode, currency } = picture;
  const search = (more: object = {}) => new URLSearchParams({ mode, currency, ...more });
  const holders = (account: string) => `/reconcile/balances?${search({ of: account })}`;
  const pages = {
    available: holders("available"),
    held: holders("held"),
    in_transit: holders("clearing"),
    suspense: "/banks/suspense",
    fees: holders("fees"),
    company: `/reconcile/company?${search()}`,
  };
  const names = Object.keys(pages) as (keyof typeof pages)[];
  return names.map((key) => ({
    key,
    name: statementsTexts.figures[key],
    hint: statementsTexts.figureHints[key],
    amount: picture[key],
    to: pages[key],
    tone: key,
  }));
}

function ofBanks({ banks, not_on_statements }: Picture): Figure[] {
  return [
    ...banks.map(({ id, name, balance, to_day }) => ({
      key: id,
      name,
      note: to_day === null ? statementsTexts.noStatement : statementsTexts.toDay(to_day),
      amount: balance ?? 0,
      to: `/reconcile/banks/${id}`,
      tone: "bank",
    })),
    {
      key: "rest",
      name: statementsTexts.notOnStatements,
      hint: statementsTexts.notOnStatementsHint,
      amount: not_on_statements,
      to: "/reconcile/exceptions",
      tone: "rest",
    },
  ];
}

function Figures({
  figures,
  currency,
  side,
}: {
  figures: readonly Figure[];
  currency: string;
  side: "left" | "right";
}) {
  return (
    <ul className={styles.figures} data-side={side}>
      {figures.map(({ key, name, hint, note, amount, to, tone }) => (
        <li key={key} data-empty={isZero(amount) || undefined}>
          <span className={styles.name} title={hint}>
            <span className={styles.swatch} data-tone={tone} aria-hidden />
            {name}
            {note && <span className={styles.note}> {note}</span>}
          </span>
          <PageLink to={to}>
            <Money amount={amount} currency={currency} />
            <span className={styles.said}>, {name}</span>
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

function Flows({
  left,
  right,
  height,
}: {
  left: readonly Figure[];
  right: readonly Figure[];
  height: number;
}) {
  const amounts = (figures: readonly Figure[]) => figures.map(({ amount }) => Number(amount));
  const { bar, paths } = flowsOf(amounts(left), amounts(right), height);
  const figures = [...left, ...right];
  return (
    <svg
      className={styles.flows}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {paths.map(({ index, path, isBelowZero }) => (
        <path
          key={figures[index]?.key}
          d={path}
          data-tone={figures[index]?.tone}
          data-below-zero={isBelowZero || undefined}
        />
      ))}
      <rect className={styles.bar} x={48} y={bar.from} width={4} height={bar.to - bar.from} />
    </svg>
  );
}
