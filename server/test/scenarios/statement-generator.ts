// Statements of a month with the truth known: movements are divided into files as a bank sends them, with repeated and
// overlapping statements, a missing one that comes late, and notifications ahead of statements. Pure.

import { type Draw, drawOf } from "./seeded-draw.ts";
import { type Movement, makeMovements, type OwnAccount } from "./statement-movements.ts";
import { type CamtName, writeBai2, writeCamt, writeCsv } from "./statement-writers.ts";

export type GeneratedFile = {
  name: string;
  /** "repeat": the same bytes. "copy": the same statement in another file. "overlap": also the day before. */
  kind: "statement" | "repeat" | "copy" | "overlap" | "late" | "notification";
  movements: readonly Movement[];
  opening: bigint;
  text(): string;
};

export type GeneratedMonth = {
  /** In the order in which the bank sends them. */
  files: GeneratedFile[];
  /** Each movement once. */
  movements: Movement[];
};

type Day = { movements: Movement[]; opening: bigint; sequence: number };

export function generateMonth(account: OwnAccount, seed: number): GeneratedMonth {
  const movements = makeMovements(account, seed);
  const days = daysOf(account, movements);
  const draw = drawOf(seed + 1);
  const files: GeneratedFile[] = [];
  // Not the first or the last one, so that there is a gap.
  const missing = days.length > 4 ? 2 + draw.below(days.length - 4) : -1;
  for (const [index, day] of days.entries()) {
    if (index === missing) continue;
    const before = index - 1 === missing ? undefined : days[index - 1];
    files.push(...filesOf(account, day, before, draw));
  }
  const gap = days[missing];
  if (gap) files.push(fileOf(account, "late", [gap]));
  return { files, movements };
}

function daysOf({ opening: first }: OwnAccount, movements: readonly Movement[]): Day[] {
  let opening = first;
  return [...Map.groupBy(movements, ({ day }) => day).values()].map((ofDay, index) => {
    const day = { movements: ofDay, opening, sequence: index + 1 };
    opening += ofDay.reduce((sum, { amount }) => sum + amount, 0n);
    return day;
  });
}

function filesOf(
  account: OwnAccount,
  day: Day,
  before: Day | undefined,
  draw: Draw,
): GeneratedFile[] {
  const files: GeneratedFile[] = [];
  if (account.notifies && draw.number() < 0.4) files.push(notificationOf(account, day, draw));
  const isOverlap = before !== undefined && draw.number() < 0.12;
  const statement = isOverlap
    ? fileOf(account, "overlap", [before, day])
    : fileOf(account, "statement", [day]);
  files.push(statement);
  if (draw.number() < 0.1) files.push({ ...statement, kind: "repeat" });
  if (draw.number() < 0.08) files.push(fileOf(account, "copy", [day]));
  return files;
}

function fileOf(
  account: OwnAccount,
  kind: GeneratedFile["kind"],
  days: readonly [Day, ...Day[]],
): GeneratedFile {
  const { number, currency, format } = account;
  const [first] = days;
  const last = days.at(-1) ?? first;
  const movements = days.flatMap((day) => day.movements);
  const { opening } = first;
  const statementId = `${number}-${first.sequence}${days.length > 1 ? `-${last.sequence}` : ""}`;
  const statement = {
    number,
    currency,
    messageId: `${kind === "copy" ? "COPY" : "MSG"}-${statementId}`,
    statementId,
    // A copy of a file without ids differs in its number.
    sequence: kind === "copy" && format === "bai2" ? 1000 + last.sequence : last.sequence,
    opening,
    movements,
  };
  const write = () => {
    if (format === "bai2") return writeBai2(statement);
    // A copy of a CSV file ends with an empty line more.
    if (format === "csv") return writeCsv(statement) + (kind === "copy" ? "\n" : "");
    return writeCamt(format, statement);
  };
  const ending = { bai2: "bai", csv: "csv" }[format as string] ?? "xml";
  return { name: `${kind}-${statementId}.${ending}`, kind, movements, opening, text: write };
}

/** Some entries of the day, before its statement. An entry is told whole. */
function notificationOf(account: OwnAccount, day: Day, draw: Draw): GeneratedFile {
  const { number, currency, format } = account;
  const told = new Map<number, boolean>();
  const movements = day.movements.filter(({ entry }) => {
    const isTold = told.get(entry) ?? draw.number() < 0.3;
    if (entry > 0) told.set(entry, isTold);
    return isTold;
  });
  const [first] = day.movements;
  if (movements.length === 0 && first) {
    movements.push(...day.movements.filter((one) => one === first || sharesEntry(one, first)));
  }
  const id = `${number}-N${day.sequence}`;
  const statement = {
    number,
    currency,
    messageId: id,
    statementId: id,
    sequence: day.sequence,
    opening: 0n,
    movements,
  };
  const name = format.replace("053", "054") as CamtName;
  return {
    name: `notification-${id}.xml`,
    kind: "notification",
    movements,
    opening: 0n,
    text: () => writeCamt(name, statement),
  };
}

const sharesEntry = (one: Movement, other: Movement) => one.entry > 0 && one.entry === other.entry;
