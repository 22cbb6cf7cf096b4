// A statement of a camt message while it is read: its balances and totals against its entries.

import { findElement, textAt, type XmlElement } from "../documents/index.ts";
import { isDay } from "../file-dates.ts";
import type { FileProblems } from "../report.ts";
import { type Amount, readAmountElement, readSum, toSumOf, toSumText } from "./amounts.ts";
import { accountIn, type CamtEntry, readDay, readDirection } from "./camt-entry.ts";
import type { Direction, StatementBalance, StatementSummary } from "./camt-records.ts";
import { checkShape, type Shape, ShapeCheck, shape } from "./shapes.ts";

const start =
  "Id! StmtPgntn RptPgntn NtfctnPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc";
const account = "Acct! RltdAcct Intrst*";
const end = "TxsSummry Ntry*";

/** By the name of the element. */
export const statementShapes: ReadonlyMap<string, Shape> = new Map([
  ["Stmt", shape(`${start} ${account} Bal!* ${end} AddtlStmtInf`)],
  ["Rpt", shape(`${start} ${account} Bal* ${end} AddtlRptInf`)],
  ["Ntfctn", shape(`${start} ${account} Bal* ${end} AddtlNtfctnInf`)],
]);

const balanceShape = shape("Tp! CdtLine* Amt! CdtDbtInd! Dt! Avlbty*");

/** Sums of entries as decimals, whatever their currency: that is how the totals of a statement are defined. */
type EntrySums = { count: number; sum: bigint };
type PlacedBalance = StatementBalance & { element: XmlElement };

export class CamtStatement {
  id = "";
  account = "";
  createdOn = "";
  #currency = "";
  #sequence = "";
  #period = { fromDay: "", toDay: "" };
  readonly #element: XmlElement;
  readonly #problems: FileProblems;
  readonly #check: ShapeCheck;
  readonly #balances: PlacedBalance[] = [];
  #summary: XmlElement | undefined;
  readonly #sums: Record<Direction, EntrySums> = {
    credit: { count: 0, sum: 0n },
    debit: { count: 0, sum: 0n },
  };
  /** By currency, signed: what the booked entries come to. */
  readonly #booked = new Map<string, bigint>();

  constructor(element: XmlElement, expected: Shape, problems: FileProblems) {
    this.#element = element;
    this.#problems = problems;
    this.#check = new ShapeCheck(expected, problems);
  }

  /** A child of the statement. */
  see(child: XmlElement): void {
    this.#check.see(child);
    if (child.name === "Id") this.id = child.text;
    if (child.name === "ElctrncSeqNb" || (child.name === "LglSeqNb" && this.#sequence === "")) {
      this.#sequence = child.text;
    }
    if (child.name === "CreDtTm") this.createdOn = readDay(child, this.#problems);
    if (child.name === "FrToDt") this.#period = readPeriod(child);
    if (child.name === "Acct") {
      this.account = accountIn({ ...child, children: [child] }, "Acct");
      this.#currency = textAt(child, "Ccy");
    }
    if (child.name === "Bal") this.#addBalance(child);
    if (child.name === "TxsSummry") this.#summary = child;
  }

  add({ amount, direction, status }: CamtEntry): void {
    if (!amount || !direction) return;
    const sums = this.#sums[direction];
    sums.count += 1;
    sums.sum += toSumOf(amount);
    if (status !== "BOOK") return;
    const before = this.#booked.get(amount.currency) ?? 0n;
    this.#booked.set(amount.currency, before + signed(amount, direction));
  }

  end(): StatementSummary {
    this.#check.end(this.#element);
    this.#checkBalances();
    if (this.#summary) this.#checkSummary(this.#summary);
    const { id } = this;
    const element = this.#element;
    const sequence = this.#sequence;
    const sums = this.#sums;
    return {
      kind: "statement",
      line: element.line,
      column: element.column,
      id,
      account: this.account,
      currency: this.#currency,
      sequence,
      ...this.#period,
      createdOn: this.createdOn,
      balances: this.#balances.map(({ element: _, ...balance }) => balance),
      entries: sums.credit.count + sums.debit.count,
    };
  }

  #addBalance(element: XmlElement): void {
    const problems = this.#problems;
    checkShape(element, balanceShape, problems);
    const amountElement = findElement(element, "Amt");
    const amount = amountElement && readAmountElement(amountElement, "tolerant", problems);
    const direction = readDirection(findElement(element, "CdtDbtInd"), problems);
    const date = readDay(findElement(element, "Dt"), problems);
    if (!amount || !direction) return;
    const code = textAt(element, "Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry", "Tp/Cd");
    const { currency } = amount;
    this.#balances.push({ code, amount: signed(amount, direction), currency, date, element });
  }

  /**
   * A warning, not an error, as for totals: real statements leave entries with a later value date out of the closing
   * balance, and real banks leave entries in another currency out of the totals or count reversals with another sign.
   */
  #checkBalances(): void {
    const opening = this.#only("OPBD") ?? this.#only("PRCD");
    const closing = this.#only("CLBD");
    if (!opening || !closing || opening.currency !== closing.currency) return;
    const { currency, element } = closing;
    const expected = opening.amount + (this.#booked.get(currency) ?? 0n);
    if (expected === closing.amount) return;
    const shown = (minor: bigint) => `${toSumText(toSumOf({ minor, currency }))} ${currency}`;
    const message =
      `expected a closing balance of ${shown(expected)} (opening balance and booked entries), ` +
      `found ${shown(closing.amount)}`;
    this.#problems.warning(element.line, element.column, message);
  }

  /** Several of a kind belong to pages or currencies, and then there is no one chain. */
  #only(code: string): PlacedBalance | undefined {
    const found = this.#balances.filter((balance) => balance.code === code);
    return found.length === 1 ? found[0] : undefined;
  }

  #checkSummary(summary: XmlElement): void {
    const { credit, debit } = this.#sums;
    const all = { count: credit.count + debit.count, sum: credit.sum + debit.sum };
    this.#checkTotal(findElement(summary, "TtlNtries"), all);
    this.#checkTotal(findElement(summary, "TtlCdtNtries"), credit);
    this.#checkTotal(findElement(summary, "TtlDbtNtries"), debit);
    const total = findElement(summary, "TtlNtries");
    if (total) this.#checkNet(total, credit.sum - debit.sum);
  }

  #checkTotal(total: XmlElement | undefined, { count, sum }: EntrySums): void {
    if (!total) return;
    this.#checkNumber(total, "NbOfNtries", String(count), (text) => Number(text) === count);
    this.#checkNumber(total, "Sum", toSumText(sum), (text) => readSum(text) === sum);
  }

  #checkNet(total: XmlElement, net: bigint): void {
    const holder = findElement(total, "TtlNetNtry") ?? total;
    const element = findElement(holder, holder === total ? "TtlNetNtryAmt" : "Amt");
    const given = element && readSum(element.text);
    if (!element || given === undefined) return;
    const found = textAt(holder, "CdtDbtInd") === "DBIT" ? -given : given;
    if (found === net) return;
    const message = `expected a net total of ${toSumText(net)} (all entries), found ${toSumText(found)}`;
    this.#problems.warning(element.line, element.column, message);
  }

  #checkNumber(
    total: XmlElement,
    name: string,
    expected: string,
    fits: (text: string) => boolean,
  ): void {
    const element = findElement(total, name);
    if (!element || fits(element.text)) return;
    const message = `expected ${expected} as ${name} of ${total.name} (the entries), found ${element.text.slice(0, 40)}`;
    this.#problems.warning(element.line, element.column, message);
  }
}

/** The days of a period. A period that ends at midnight ends with the day before. */
function readPeriod(element: XmlElement): { fromDay: string; toDay: string } {
  const dayOf = (time: string) => (isDay(time.slice(0, 10)) ? time.slice(0, 10) : "");
  const to = textAt(element, "ToDtTm");
  const fromDay = dayOf(textAt(element, "FrDtTm"));
  const toDay = dayOf(to);
  const isMidnight = /T00:00(:00(\.0+)?)?(?![\d:])/.test(to);
  if (!isMidnight || fromDay === "" || toDay <= fromDay) return { fromDay, toDay };
  const before = new Date(Date.parse(`${toDay}T00:00:00Z`) - 86_400_000);
  return { fromDay, toDay: before.toISOString().slice(0, 10) };
}

function signed({ minor }: Amount, direction: Direction): bigint {
  return direction === "credit" ? minor : -minor;
}
