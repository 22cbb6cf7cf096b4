// An entry of a camt statement while it is read, and the transactions inside it.

import type { FileProblems } from "../report.ts";
import { type Amount, readAmountElement } from "./amounts.ts";
import type {
  Direction,
  EntryReferences,
  EntryTransaction,
  ReturnReason,
  StatementEntry,
} from "./camt-records.ts";
import { ShapeCheck, shape } from "./shapes.ts";
import { childrenOf, findElement, textAt, type XmlElement } from "./xml-elements.ts";

const entryShape = shape(
  `NtryRef Amt! CdtDbtInd! RvslInd Sts! BookgDt ValDt AcctSvcrRef Avlbty* BkTxCd! ComssnWvrInd AddtlInfInd AmtDtls
   Chrgs* TechInptChanl Intrst* CardTx NtryDtls* AddtlNtryInf`,
);

const indicators: ReadonlyMap<string, Direction> = new Map([
  ["CRDT", "credit"],
  ["DBIT", "debit"],
]);

/** Undefined where it is neither, and then a problem says so. */
export function readDirection(
  element: XmlElement | undefined,
  problems: FileProblems,
): Direction | undefined {
  if (!element) return undefined;
  const { text, line, column } = element;
  const direction = indicators.get(text);
  if (!direction) problems.error(line, column, "expected CRDT or DBIT in CdtDbtInd, found another");
  return direction;
}

/** The day of a date, or of a date and time; empty where there is none. */
export function readDay(element: XmlElement | undefined, problems: FileProblems): string {
  if (!element) return "";
  const found = findElement(element, "Dt") ?? findElement(element, "DtTm") ?? element;
  const day = found.text.slice(0, 10);
  if (isDay(day)) return day;
  const message = `expected a date such as 2026-11-16 in ${element.name}, found none`;
  problems.error(found.line, found.column, message);
  return "";
}

export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return (
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  );
}

export class CamtEntry {
  readonly element: XmlElement;
  readonly statement: { id: string; account: string };
  amount: Amount | undefined;
  direction: Direction | undefined;
  status = "BOOK";
  readonly #problems: FileProblems;
  readonly #check: ShapeCheck;
  readonly #parts = new Map<string, XmlElement>();
  #transactions = 0;
  #announced: number | undefined;

  constructor(
    element: XmlElement,
    statement: { id: string; account: string },
    problems: FileProblems,
  ) {
    this.element = element;
    this.statement = statement;
    this.#problems = problems;
    this.#check = new ShapeCheck(entryShape, problems);
  }

  /** A child of the entry. */
  see(child: XmlElement): void {
    this.#check.see(child);
    this.#parts.set(child.name, child);
    if (child.name === "Amt") this.amount = readAmountElement(child, "tolerant", this.#problems);
    if (child.name === "CdtDbtInd") this.direction = readDirection(child, this.#problems);
    if (child.name === "Sts") this.status = child.text || textAt(child, "Cd", "Prtry");
  }

  /** A child of the entry's details: a transaction, or how many there are. */
  seeDetail(child: XmlElement): EntryTransaction | undefined {
    if (child.name === "Btch") this.#announce(child);
    if (child.name !== "TxDtls") return undefined;
    this.#transactions += 1;
    const own = this.#transactionAmount(child);
    const booking = this.#booking(
      child,
      own.amount ?? this.amount,
      own.direction ?? this.direction,
    );
    if (!booking) return undefined;
    return {
      kind: "transaction",
      ...booking,
      entryLine: this.element.line,
      debtorName: textAt(child, "RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm"),
      debtorAccount: accountIn(child, "RltdPties/DbtrAcct"),
      creditorName: textAt(child, "RltdPties/Cdtr/Nm", "RltdPties/Cdtr/Pty/Nm"),
      creditorAccount: accountIn(child, "RltdPties/CdtrAcct"),
      remittance: remittanceIn(child),
    };
  }

  end(): StatementEntry | undefined {
    this.#check.end(this.element);
    const { element } = this;
    const announced = this.#announced;
    const transactions = this.#transactions;
    if (announced !== undefined && transactions > 0 && announced !== transactions) {
      const message = `the entry announces ${announced} transactions (NbOfTxs), found ${transactions}`;
      this.#problems.warning(element.line, element.column, message);
    }
    const booking = this.#booking(element, this.amount, this.direction);
    if (!booking) return undefined;
    const information = this.#parts.get("AddtlNtryInf")?.text ?? "";
    return { kind: "entry", ...booking, transactions, information };
  }

  #announce(batch: XmlElement): void {
    const count = textAt(batch, "NbOfTxs");
    if (/^\d{1,15}$/.test(count)) this.#announced = (this.#announced ?? 0) + Number(count);
  }

  /** Its own amount since version 04. Before, in the details of the amount, and only in the account's currency. */
  #transactionAmount(transaction: XmlElement) {
    const direction = readDirection(findElement(transaction, "CdtDbtInd"), this.#problems);
    const element =
      findElement(transaction, "Amt") ?? findElement(transaction, "AmtDtls/TxAmt/Amt");
    const amount = element && readAmountElement(element, "tolerant", this.#problems);
    return { amount, direction };
  }

  #booking(source: XmlElement, amount?: Amount, direction?: Direction) {
    if (!amount || !direction) return undefined;
    const { statement, status } = this;
    const parts = this.#parts;
    const problems = this.#problems;
    const { line, column } = source;
    const transactionCode = codeIn(findElement(source, "BkTxCd")) || codeIn(parts.get("BkTxCd"));
    return {
      line,
      column,
      statementId: statement.id,
      account: statement.account,
      amount: amount.minor,
      currency: amount.currency,
      direction,
      status,
      isReversal: /^(true|1)$/.test(parts.get("RvslInd")?.text ?? ""),
      bookingDate:
        source === this.element ? readDay(parts.get("BookgDt"), problems) : this.#day("BookgDt"),
      valueDate:
        source === this.element ? readDay(parts.get("ValDt"), problems) : this.#day("ValDt"),
      references: referencesIn(source, parts),
      transactionCode,
      returnReason: returnReasonIn(source, transactionCode),
    };
  }

  /** Without saying again what is wrong with it: the entry does that once. */
  #day(name: string): string {
    const element = this.#parts.get(name);
    const day = textAt(element, "Dt", "DtTm").slice(0, 10);
    return isDay(day) ? day : "";
  }
}

function referencesIn(
  source: XmlElement,
  entryParts: ReadonlyMap<string, XmlElement>,
): EntryReferences {
  const of = (name: string) => given(textAt(source, `Refs/${name}`));
  return {
    messageId: of("MsgId"),
    accountServicerReference: of("AcctSvcrRef") || (entryParts.get("AcctSvcrRef")?.text ?? ""),
    paymentInformationId: of("PmtInfId"),
    instructionId: of("InstrId"),
    endToEndId: of("EndToEndId"),
    uetr: of("UETR"),
    transactionId: of("TxId"),
  };
}

/** Banks write this where the payer gave no reference. */
function given(reference: string): string {
  return reference === "NOTPROVIDED" ? "" : reference;
}

function codeIn(element: XmlElement | undefined): string {
  const domain = textAt(element, "Domn/Cd");
  if (domain === "") return textAt(element, "Prtry/Cd");
  return [domain, textAt(element, "Domn/Fmly/Cd"), textAt(element, "Domn/Fmly/SubFmlyCd")].join(
    "/",
  );
}

/** By the reason that the bank gives; without one, by the code of a returned or rejected transfer. */
function returnReasonIn(source: XmlElement, transactionCode: string): ReturnReason | undefined {
  const information = findElement(source, "RtrInf");
  if (!information && !/^PMNT\/[IR]CDT\/(RRTN|RJCT)$/.test(transactionCode)) return undefined;
  const texts = information ? childrenOf(information, "AddtlInf") : [];
  return {
    code: textAt(information, "Rsn/Cd", "Rsn/Prtry"),
    text: texts.map(({ text }) => text).join(" "),
  };
}

/** The account at a path such as "RltdPties/DbtrAcct". */
export function accountIn(element: XmlElement, path: string): string {
  return textAt(element, `${path}/Id/IBAN`, `${path}/Id/Othr/Id`);
}

function remittanceIn(transaction: XmlElement): string {
  const information = findElement(transaction, "RmtInf");
  if (!information) return "";
  const free = childrenOf(information, "Ustrd").map(({ text }) => text);
  const references = childrenOf(information, "Strd").map((part) => textAt(part, "CdtrRefInf/Ref"));
  return [...free, ...references].filter((text) => text !== "").join(" ");
}
