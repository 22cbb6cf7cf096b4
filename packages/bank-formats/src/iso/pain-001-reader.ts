// Reads and checks credit transfer initiations (pain.001) of any version.

import { findElement, readXml, textAt, type XmlElement } from "../documents/index.ts";
import { isDay } from "../file-dates.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { readAmountElement, readSum, toSumOf, toSumText } from "./amounts.ts";
import { openMessage } from "./message-frame.ts";
import type { Message } from "./messages.ts";
import {
  hasDateChoice,
  type Pain001Layout,
  pain001Layout,
  pain001Shapes,
  readXmlFields,
  type XmlFieldValues,
} from "./pain-001-layout.ts";
import { checkCharacters, checkLengths, checkPart, checkPaymentId } from "./pain-001-rules.ts";
import { checkShape, ShapeCheck } from "./shapes.ts";

type Place = { line: number; column: number };

export type InitiationHeader = Place & { kind: "header" } & XmlFieldValues<Pain001Layout["header"]>;
/** What the transfers after it have in common: our own account, and the day. */
export type InitiationBlock = Place & { kind: "block" } & XmlFieldValues<Pain001Layout["block"]>;
export type CreditTransfer = Place & {
  kind: "transfer";
  /** Minor units. */
  amount: bigint;
  currency: string;
} & XmlFieldValues<Pain001Layout["transfer"]>;
export type InitiationRecord = InitiationHeader | InitiationBlock | CreditTransfer;

const containers = new Set(["PmtInf"]);
const sepaAmountMax = 999_999_999_99n;

/** Yields the header, each block before its transfers, and the transfers. Ends with the report. */
export function* readPain001(
  text: string,
  message: Message,
): Generator<InitiationRecord, FileReport, void> {
  const problems = new FileProblems();
  const file = new InitiationFile(message.name, problems);
  const frame = openMessage(message, containers, problems);
  const check = new ShapeCheck(pain001Shapes.message, problems);

  for (const event of readXml(text, frame.isContainer, problems)) {
    frame.see(event);
    const { type, element, parent } = event;
    if (type === "close") {
      if (element.name === "PmtInf") yield* file.endBlock();
      if (element.name === frame.name) {
        check.end(element);
        file.end();
      }
      continue;
    }
    if (parent === frame.name) check.see(element);
    if (type === "open") {
      if (element.name === "PmtInf") file.openBlock(element);
    } else if (parent === "PmtInf") {
      yield* file.seeInBlock(element);
    } else if (element.name === "GrpHdr") {
      yield file.readHeader(element);
    }
  }
  frame.end();
  return { format: message.name, problems: problems.all, count: file.count, totals: file.totals };
}

type Totals = { count: number; sum: bigint };

class InitiationFile {
  readonly totals = new Map<string, Sums>();
  readonly #all: Totals = { count: 0, sum: 0n };
  readonly #layout: Pain001Layout;
  readonly #messageName: string;
  readonly #problems: FileProblems;
  #header: XmlElement | undefined;
  #block: InitiationBlockReader | undefined;
  #hasSepa = false;
  /** The line of each EndToEndId. */
  readonly #lines = new Map<string, number>();

  constructor(messageName: string, problems: FileProblems) {
    this.#messageName = messageName;
    this.#layout = pain001Layout(messageName);
    this.#problems = problems;
  }

  get count(): number {
    return this.#all.count;
  }

  readHeader(element: XmlElement): InitiationHeader {
    const problems = this.#problems;
    const layout = this.#layout;
    this.#header = element;
    checkShape(element, pain001Shapes.header, problems);
    checkLengths(element, layout.header, problems);
    // Whether the characters of SEPA are asked for is known only later.
    checkPart(element, { isSepa: false, problems });
    const created = findElement(element, "CreDtTm");
    if (created && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(created.text)) {
      problems.error(
        created.line,
        created.column,
        "expected a date and time in CreDtTm, found none",
      );
    }
    const { line, column } = element;
    return { kind: "header", line, column, ...readXmlFields(element, layout.header) };
  }

  openBlock(element: XmlElement): void {
    this.#block = new InitiationBlockReader(element, this.#layout, this.#problems);
  }

  *seeInBlock(element: XmlElement): Generator<InitiationRecord, void, void> {
    const block = this.#block;
    if (!block) return;
    block.check.see(element);
    if (element.name !== "CdtTrfTxInf") {
      block.add(element, hasDateChoice(this.#messageName));
      return;
    }
    yield* block.take();
    yield* this.#readTransfer(element, block);
  }

  *endBlock(): Generator<InitiationRecord, void, void> {
    const block = this.#block;
    const problems = this.#problems;
    if (!block) return;
    yield* block.take();
    this.#hasSepa ||= block.serviceLevel === "SEPA";
    block.check.end(block.element);
    checkTotals(block.element, block.totals, problems);
    this.#block = undefined;
  }

  end(): void {
    if (!this.#header) return;
    checkTotals(this.#header, this.#all, this.#problems);
    if (this.#hasSepa) checkCharacters(this.#header, this.#problems);
  }

  *#readTransfer(element: XmlElement, block: InitiationBlockReader) {
    const problems = this.#problems;
    const layout = this.#layout;
    const { line, column } = element;
    const isSepa = (textAt(element, "PmtTpInf/SvcLvl/Cd") || block.serviceLevel) === "SEPA";
    checkShape(element, pain001Shapes.transfer, problems);
    checkLengths(element, layout.transfer, problems);
    checkPart(element, { isSepa, problems });
    const paymentId = findElement(element, "PmtId");
    if (paymentId) checkPaymentId(paymentId, problems);
    this.#noteId(element);
    if (block.isTransfer && !findElement(element, "CdtrAcct")) {
      problems.error(line, column, "expected the receiver's account (CdtrAcct), found none");
    }
    this.#all.count += 1;
    block.totals.count += 1;
    const amount = this.#readAmount(element, isSepa);
    if (!amount) return;
    const { minor, currency } = amount;
    addTo(this.totals, currency, "credit", minor);
    this.#all.sum += toSumOf(amount);
    block.totals.sum += toSumOf(amount);
    const fields = readXmlFields(element, layout.transfer);
    const transfer: CreditTransfer = {
      kind: "transfer",
      line,
      column,
      ...fields,
      amount: minor,
      currency,
    };
    yield transfer;
  }

  #readAmount(transfer: XmlElement, isSepa: boolean) {
    const problems = this.#problems;
    const element =
      findElement(transfer, "Amt/InstdAmt") ?? findElement(transfer, "Amt/EqvtAmt/Amt");
    if (!element) {
      const message = "expected an amount (InstdAmt) in Amt, found none";
      if (findElement(transfer, "Amt")) problems.error(transfer.line, transfer.column, message);
      return undefined;
    }
    const amount = readAmountElement(element, "strict", problems);
    if (!amount) return undefined;
    const { line, column } = element;
    if (amount.minor === 0n) problems.error(line, column, "expected an amount above zero, found 0");
    if (!isSepa) return amount;
    if (amount.currency !== "EUR") {
      problems.error(line, column, `expected EUR for SEPA, found ${amount.currency}`);
    } else if (amount.minor > sepaAmountMax) {
      problems.error(line, column, "expected at most 999999999.99 EUR for SEPA, found more");
    }
    return amount;
  }

  #noteId(transfer: XmlElement): void {
    const element = findElement(transfer, "PmtId/EndToEndId");
    if (!element || element.text === "NOTPROVIDED") return;
    const { text, line, column } = element;
    const first = this.#lines.get(text);
    if (first === undefined) {
      this.#lines.set(text, line);
      return;
    }
    const message = `expected another EndToEndId for each payment, found that of line ${first}`;
    this.#problems.warning(line, column, message);
  }
}

/** A block of payments (PmtInf) while it is read. */
class InitiationBlockReader {
  readonly element: XmlElement;
  readonly check: ShapeCheck;
  readonly totals: Totals = { count: 0, sum: 0n };
  readonly #layout: Pain001Layout;
  readonly #problems: FileProblems;
  #isTaken = false;

  constructor(element: XmlElement, layout: Pain001Layout, problems: FileProblems) {
    this.element = element;
    this.#layout = layout;
    this.#problems = problems;
    this.check = new ShapeCheck(pain001Shapes.block, problems);
  }

  get serviceLevel(): string {
    return textAt(this.element, "PmtTpInf/SvcLvl/Cd");
  }

  get isTransfer(): boolean {
    return textAt(this.element, "PmtMtd") === "TRF";
  }

  /** A child that is no transfer. It is kept: together they are the block's own facts. */
  add(child: XmlElement, isDateInside: boolean): void {
    const problems = this.#problems;
    this.element.children.push(child);
    checkPart(child, { isSepa: this.serviceLevel === "SEPA", problems });
    const { name, text, line, column } = child;
    if (name === "ReqdExctnDt") this.#checkDate(child, isDateInside);
    if (name === "PmtMtd" && !/^(TRF|TRA|CHK)$/.test(text)) {
      problems.error(line, column, "expected TRF, TRA or CHK in PmtMtd, found another");
    }
    if (name === "BtchBookg" && !/^(true|false|0|1)$/.test(text)) {
      problems.error(line, column, "expected true or false in BtchBookg, found another");
    }
  }

  /** The block's facts, once, before its first transfer. */
  *take(): Generator<InitiationBlock, void, void> {
    if (this.#isTaken) return;
    this.#isTaken = true;
    const { element } = this;
    const layout = this.#layout;
    const problems = this.#problems;
    checkLengths(element, layout.block, problems);
    const { line, column } = element;
    yield { kind: "block", line, column, ...readXmlFields(element, layout.block) };
  }

  #checkDate(element: XmlElement, isDateInside: boolean): void {
    const date = isDateInside
      ? textAt(element, "Dt", "DtTm").slice(0, 10)
      : element.children.length === 0
        ? element.text
        : "";
    if (isDay(date.slice(0, 10))) return;
    const where = isDateInside ? "in Dt of ReqdExctnDt" : "in ReqdExctnDt";
    const message = `expected a date such as 2026-11-16 ${where}, found none`;
    this.#problems.error(element.line, element.column, message);
  }
}

function checkTotals(element: XmlElement, { count, sum }: Totals, problems: FileProblems): void {
  const number = findElement(element, "NbOfTxs");
  if (number && (!/^\d{1,15}$/.test(number.text) || Number(number.text) !== count)) {
    const message = `expected ${count} in NbOfTxs (the transfers), found ${number.text.slice(0, 15)}`;
    problems.error(number.line, number.column, message);
  }
  const control = findElement(element, "CtrlSum");
  if (control && readSum(control.text) !== sum) {
    const message = `expected ${toSumText(sum)} in CtrlSum (the transfers), found ${control.text.slice(0, 40)}`;
    problems.error(control.line, control.column, message);
  }
}
