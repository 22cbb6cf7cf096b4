// Compares the lines of a statement with those that are kept, and leaves out what earlier statements had.

import { addDays } from "../../../../packages/bank-formats/src/calendars/index.ts";
import {
  emptyStatementLine,
  type StatementLine,
} from "../../../../packages/bank-formats/src/index.ts";
import { depositReferencesIn, findByDepositReference } from "../../money/ledger/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { ChainPlace, KnownStatement } from "./chain.ts";
import { mapInTurns } from "./in-turns.ts";
import { depositTextOf, idsIn } from "./line-facts.ts";
import { listLinesOfDays, type StatementLineRow, type StatementRow } from "./queries.ts";
import {
  familyOf,
  judgeLines,
  type KnownLine,
  type LineIdentity,
  type LineVerdict,
  toIdentity,
} from "./repetition.ts";

/** A line of a statement that is being applied, with the day under which it is kept. */
export type ArrivedLine = { line: StatementLine; day: string; contentKey: string };

export type Comparison = {
  tx: Tx;
  connectionId: string;
  kind: StatementRow["kind"];
  family: string;
  place: ChainPlace;
  /** The days of the statement itself. */
  fromDay: string;
  toDay: string;
  known: readonly KnownStatement[];
};

/** Formats book one movement on different days, but not far apart. */
const daysApart = 3;

/** In the order of the lines. */
export async function compareLines(
  comparison: Comparison,
  lines: readonly ArrivedLine[],
): Promise<LineVerdict[]> {
  const { tx, connectionId, kind, family, place, known } = comparison;
  const start = lines[0]?.day;
  if (start === undefined || known.length === 0) return lines.map(asNew);
  let [first, last] = [start, start];
  for (const { day } of lines) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const hasOthers = known.some((one) => one.family !== family);
  const lastKnown = known.reduce((day, one) => (one.toDay > day ? one.toDay : day), "");
  const fromDay = hasOthers ? addDays(first, -daysApart) : first;
  if (fromDay > lastKnown) return lines.map(asNew);
  const toDay = hasOthers ? addDays(last, daysApart) : last;
  const rows = await listLinesOfDays(tx, connectionId, { kind, fromDay, toDay });
  if (rows.length === 0) return lines.map(asNew);
  const facts = await mapInTurns(lines, factsOf);
  const identities = await identify(tx, facts.concat(await mapInTurns(rows, keptFactsOf)));
  const arrived = identities.slice(0, lines.length);
  const kept = await mapInTurns(
    rows,
    (row, index): KnownLine => ({
      ...(identities[lines.length + index] as LineIdentity),
      id: row.id,
      family: familyOf(row.format),
      isDoubtful: row.status === "doubtful",
    }),
  );
  const ofFamily = known.filter((one) => one.family === family);
  const covers = (day: string) =>
    [comparison, ...ofFamily].some((one) => one.fromDay <= day && day <= one.toDay);
  const isNotification = kind === "notification";
  return judgeLines({ family, isNotification, place, lines: arrived, covers }, kept);
}

const asNew = (): LineVerdict => ({ verdict: "new" });

type LineFacts = { identity: LineIdentity; line: StatementLine };

function factsOf({ line, day, contentKey }: ArrivedLine): LineFacts {
  const { valueDay, amount, currency, bankReference, text, partyName: party } = line;
  const { endToEndId, customerReference, messageId } = line;
  const references = [customerReference, endToEndId, messageId];
  const facts = { day, valueDay, amount, currency, contentKey, bankReference, references };
  return { line, identity: { ...facts, ours: [], text, party } };
}

function keptFactsOf(row: StatementLineRow): LineFacts {
  const { day, value_day: valueDay, currency, content_key: contentKey, party } = row;
  const { bank_reference: bankReference, reference, bank_text: text } = row;
  const amount = BigInt(row.amount);
  const line = { ...emptyStatementLine, place: { line: 0, column: 0 }, day, amount, currency };
  const facts = { day, valueDay, amount, currency, contentKey, bankReference };
  return {
    line: { ...line, customerReference: reference, text, entryKey: "" },
    identity: { ...facts, references: [reference], ours: [], text, party },
  };
}

/** Only deposit references that subaccounts have: one text in 32 looks like one by chance. */
async function identify(tx: Tx, facts: readonly LineFacts[]): Promise<LineIdentity[]> {
  const found = new Set<string>();
  const given = await mapInTurns(facts, ({ line }) => {
    const references = line.amount > 0n ? depositReferencesIn(depositTextOf(line)) : [];
    for (const reference of references) found.add(reference);
    return references;
  });
  const all = [...found];
  const rows = all.length === 0 ? [] : await findByDepositReference(tx, all);
  const real = new Set(rows.map(({ reference }) => reference));
  return mapInTurns(facts, ({ line, identity }, index) => {
    const deposits = (given[index] ?? []).filter((reference) => real.has(reference));
    return toIdentity({ ...identity, ours: [...idsIn(line), ...deposits] });
  });
}
