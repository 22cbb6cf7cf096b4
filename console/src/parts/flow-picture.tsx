// Figures on the left that flow into one bar, and out of it to figures on the right, as thick as their amounts. On both
// sides they are also a list.

import { Text, VisuallyHidden } from "@mantine/core";
import type { Sum } from "../state/money.ts";
import styles from "./flow-picture.module.css";
import { flowsOf } from "./flows.ts";
import { Money } from "./money.tsx";
import { PageLink } from "./page-link.tsx";

export type Figure = {
  key: string;
  name: string;
  hint?: string;
  note?: string;
  amount: Sum;
  /** The page with its lines. */
  to?: string;
  /** Names its colour. */
  tone: string;
};

const rowHeight = 54;

export function FlowPicture({
  label,
  caption,
  heads: [leftHead, totalHead, rightHead],
  total,
  currency,
  left,
  right,
}: {
  /** For screen readers. */
  label: string;
  caption?: string;
  /** Above the figures on the left, the bar, and the figures on the right. */
  heads: readonly [string, string, string];
  total: Sum;
  currency: string;
  left: readonly Figure[];
  right: readonly Figure[];
}) {
  const height = Math.max(left.length, right.length) * rowHeight;
  return (
    <figure className={styles.picture} aria-label={label}>
      {caption && (
        <Text component="figcaption" size="sm" c="dimmed" className={styles.caption}>
          {caption}
        </Text>
      )}
      <div className={styles.heads}>
        <span>{leftHead}</span>
        <span className={styles.total}>
          {totalHead} <Money amount={total} currency={currency} />
        </span>
        <span>{rightHead}</span>
      </div>
      <div className={styles.body} style={{ height }}>
        <Figures figures={left} currency={currency} side="left" />
        <Flows left={left} right={right} height={height} />
        <Figures figures={right} currency={currency} side="right" />
      </div>
    </figure>
  );
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
        <li key={key} data-empty={Number(amount) === 0 || undefined}>
          <span className={styles.name} title={hint}>
            <span className={styles.swatch} data-tone={tone} aria-hidden />
            {name}
            {note && <span className={styles.note}> {note}</span>}
          </span>
          {to ? (
            <PageLink to={to}>
              <Money amount={amount} currency={currency} />
              <VisuallyHidden>, {name}</VisuallyHidden>
            </PageLink>
          ) : (
            <Money amount={amount} currency={currency} />
          )}
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
