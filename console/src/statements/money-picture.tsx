// Where the money is, as one drawing: whose it is by the books on the left, where it is by statements on the right. Every
// figure leads to its lines.

import type { MoneyPicture as Picture } from "@server/doors/console/statements/schema.ts";
import { type Figure, FlowPicture } from "../parts/flow-picture.tsx";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";

const figureHints = {
  available: "Subaccounts can pay it out.",
  held: "Set aside for payouts that are not sent yet.",
  in_transit: "In files at the bank, and not settled yet.",
  suspense: "At the bank, and a user has to say whose it is.",
  fees: "Taken from subaccounts.",
  company: "Your own money at the bank, less what banks charge.",
} as const;

export function MoneyPicture({ picture }: { picture: Picture }) {
  const { currency, books } = picture;
  return (
    <FlowPicture
      label={statementsTexts.money}
      caption="On the left, whose money it is by the books. On the right, where it is by statements."
      heads={["By the books", "In the books", "By statements"]}
      total={books}
      currency={currency}
      left={ofBooks(picture)}
      right={ofBanks(picture)}
    />
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
    hint: figureHints[key],
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
      note: to_day === null ? statementsTexts.noStatement : `to ${calendarDayText(to_day)}`,
      amount: balance ?? 0,
      to: `/reconcile/banks/${id}`,
      tone: "bank",
    })),
    {
      key: "rest",
      name: "Not on statements",
      hint: "What the books have and the last statements do not, or the other way round.",
      amount: not_on_statements,
      to: "/reconcile/exceptions",
      tone: "rest",
    },
  ];
}
