// Where the money is, in two columns: whose it is by the books, where it is by statements, and the difference. Every figure
// leads to its lines.

import { Text, VisuallyHidden } from "@mantine/core";
import type { MoneyPicture } from "@server/doors/console/statements/schema.ts";
import type { ReactNode } from "react";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type PlotRow, PlotTable } from "../parts/plot-table.tsx";
import type { Sum } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";

const figureHints = {
  available: "Subaccounts can pay it out",
  held: "Set aside for payouts that are not sent yet",
  in_transit: "In files at the bank, and not settled yet",
  suspense: "At the bank, and a user has to say whose it is",
  fees: "Taken from subaccounts",
  company: "Your own money at the bank, less what banks charge",
} as const;

export function MoneyStatement({ picture }: { picture: MoneyPicture }) {
  const { mode, currency, books, banks, not_on_statements } = picture;
  const money = (amount: Sum) => <Money amount={amount} currency={currency} />;
  const link = (to: string, name: string, amount: Sum) => (
    <PageLink to={to}>
      {money(amount)}
      <VisuallyHidden>, {name}</VisuallyHidden>
    </PageLink>
  );
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
  const atBanks = banks.reduce((sum, { balance }) => sum + BigInt(balance ?? 0), 0n);
  const rows: PlotRow[] = [
    ...(Object.keys(pages) as (keyof typeof pages)[]).map((key) => {
      const name = statementsTexts.figures[key];
      return {
        key,
        head: <Named name={name} note={figureHints[key]} isHint />,
        cells: [link(pages[key], name, picture[key]), ""],
      };
    }),
    ...banks.map(({ id, name, balance, to_day }) => ({
      key: id,
      head: (
        <Named
          name={name}
          note={to_day === null ? statementsTexts.noStatement : `to ${calendarDayText(to_day)}`}
        />
      ),
      cells: ["", link(`/reconcile/banks/${id}`, name, balance ?? 0)],
    })),
    {
      key: "total",
      head: <strong>Total</strong>,
      cells: [money(books), money(String(atBanks))].map(strong),
    },
    {
      key: "difference",
      head: (
        <Named
          name={<strong>{statementsTexts.difference}</strong>}
          note={
            Number(not_on_statements) === 0
              ? ""
              : "In transit, or not on statements: each bank account below says which"
          }
        />
      ),
      cells: ["", strong(money(not_on_statements))],
    },
  ];
  return (
    <PlotTable
      caption={statementsTexts.money}
      isWhole
      heads={["Money", "By the books", "By statements"]}
      rows={rows}
    />
  );
}

const strong = (amount: ReactNode) => <strong>{amount}</strong>;

function Named({
  name,
  note,
  isHint = false,
}: {
  name: ReactNode;
  note: string;
  /** Phones leave it out. */
  isHint?: boolean;
}) {
  return (
    <>
      {name}
      {note && (
        <Text size="xs" c="dimmed" {...(isHint && { visibleFrom: "sm" })}>
          {note}
        </Text>
      )}
    </>
  );
}
