// How a bank delivers the statements of a month: in one format or two, repeated, under another id, overlapping, the day so far
// before the whole day, out of order, with notifications. Pure.

import type { Draw } from "./seeded-draw.ts";
import type { Movement, OwnAccount } from "./statement-movements.ts";
import {
  type CamtName,
  type StatementOf,
  writeBai2,
  writeCamt,
  writeCsv,
} from "./statement-writers.ts";

export type Delivery = { how: string; day: string; text: string };

export type DayOfMonth = { day: string; movements: Movement[]; opening: bigint; number: number };

const formats = ["camt.053", "bai2", "csv"] as const;
type Format = (typeof formats)[number];

/** Each with the balance that it opens with. A swept account ends each day with nothing. */
export function toDays(
  { opening: first }: Pick<OwnAccount, "opening">,
  movements: readonly Movement[],
): DayOfMonth[] {
  let opening = first;
  const days = [...Map.groupBy(movements, ({ day }) => day)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return days.map(([day, ofDay], index) => {
    const found = { day, movements: ofDay, opening, number: index + 1 };
    opening += ofDay.reduce((sum, { amount }) => sum + amount, 0n);
    return found;
  });
}

export function deliver(account: OwnAccount, days: readonly DayOfMonth[], draw: Draw): Delivery[] {
  const home: Format = account.format.startsWith("camt") ? "camt.053" : (account.format as Format);
  const others = formats.filter((format) => format !== home);
  const second = draw.number() < 0.6 ? draw.pick(others) : undefined;
  const deliveries: Delivery[] = [];
  for (const [index, day] of days.entries()) {
    const before = days[index - 1];
    const write = (how: string, format: Format, some: readonly DayOfMonth[]) =>
      deliveries.push(writeOne(account, { how, format, days: some, id: deliveries.length }));
    if (draw.number() < 0.15) deliveries.push(notify(account, day, draw, deliveries.length));
    if (draw.number() < 0.15) write("the day so far", home, [soFar(day, draw)]);
    if (second && draw.number() < 0.3) write("in another format first", second, [day]);
    if (before && draw.number() < 0.2) write("overlapping", home, [before, day]);
    else write("as usual", home, [day]);
    if (draw.number() < 0.2) write("under another id", home, [day]);
    if (second && draw.number() < 0.6) write("in another format", second, [day]);
    const last = deliveries.at(-1);
    if (last && draw.number() < 0.1) deliveries.push({ ...last, how: "the same file" });
  }
  if (draw.number() < 0.3) {
    const how = "the month so far";
    deliveries.push(writeOne(account, { how, format: "csv", days, id: deliveries.length }));
  }
  for (let index = 1; index < deliveries.length; index += 1) {
    if (draw.number() > 0.15) continue;
    const [one, other] = [deliveries[index - 1], deliveries[index]] as [Delivery, Delivery];
    deliveries.splice(index - 1, 2, { ...other, how: `${other.how}, out of order` }, one);
  }
  return deliveries;
}

function soFar(day: DayOfMonth, draw: Draw): DayOfMonth {
  const { movements } = day;
  const count = 1 + draw.below(movements.length);
  // An entry is told whole.
  const entries = new Set(movements.slice(0, count).map(({ entry }) => entry));
  const told = movements.filter(
    (one, index) => index < count || (one.entry > 0 && entries.has(one.entry)),
  );
  return { ...day, movements: told, number: 0 };
}

type Writing = { how: string; format: Format; days: readonly DayOfMonth[]; id: number };

function writeOne(account: OwnAccount, { how, format, days, id }: Writing): Delivery {
  const { number: accountNumber, currency } = account;
  const [first] = days as [DayOfMonth];
  const last = days.at(-1) ?? first;
  const statement: StatementOf = {
    number: accountNumber,
    currency,
    messageId: `M${id}`,
    statementId: `S${id}`,
    ...(days.length === 1 && first.number > 0 && { sequence: first.number }),
    opening: first.opening,
    movements: days.flatMap(({ movements }) => movements),
  };
  const name = account.format.startsWith("camt") ? (account.format as CamtName) : undefined;
  const texts = {
    "camt.053": () => writeCamt(name ?? "camt.053.001.08", statement),
    bai2: () => writeBai2({ ...statement, sequence: id + 1 }),
    csv: () => writeCsv({ ...statement, movements: statement.movements.map(asExported) }),
  };
  return { how, day: last.day, text: texts[format]() };
}

/** An export has less: texts in upper case, and no reference beside our own. */
function asExported(movement: Movement): Movement {
  const isOurs = /^[0-9a-f-]{32,36}$/i.test(movement.reference);
  const reference = isOurs ? movement.reference : "";
  return { ...movement, reference, text: movement.text.toUpperCase().slice(0, 60) };
}

function notify(account: OwnAccount, day: DayOfMonth, draw: Draw, id: number): Delivery {
  const told = day.movements.filter(({ entry, amount }) => entry === 0 && amount > 0n);
  const movements = told.filter(() => draw.number() < 0.5);
  const given = movements.length > 0 ? movements : day.movements.slice(0, 1);
  const { number, currency } = account;
  const about = { number, currency, messageId: `N${id}`, statementId: `N${id}`, opening: 0n };
  const text = writeCamt("camt.054.001.08", { ...about, movements: given });
  return { how: "a notification", day: day.day, text };
}
