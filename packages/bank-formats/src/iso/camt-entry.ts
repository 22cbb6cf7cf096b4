// An entry of a camt statement while it is read, and the transactions inside it.

import { childrenOf, findElement, textAt, type XmlElement } from "../documents/index.ts";
import { isDay } from "../file-dates.ts";
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

const entryShape = shape(
  `NtryRef Amt! CdtDbtInd! RvslInd Sts! BookgDt ValDt AcctSvcrRef Avlbty* BkTxCd! ComssnWvrInd AddtlInfInd AmtDtls
   Chrgs* TechInptChanl Intrst* CardTx NtryDtls* AddtlNtryInf`,
);

/** Where a transaction may have its amount, the most likely first. */
const amountPaths = [
  "Amt",
  "AmtDtls/TxAmt/Amt",
  "AmtDtls/CntrValAmt/Amt",
  "AmtDtls/InstdAmt/Amt",
] as const;

/** The one in this currency, or else its own. */
function amountElementIn(
  transaction: XmlElement,
  currency: string | undefined,
): XmlElement | undefined {
  let own: XmlElement | undefined;
  for (const path of amountPaths) {
    const found = findElement(transaction, path);
    if (found?.attributes.get("Ccy") === currency) return found;
    // Of the others, only these are amounts of the transaction itself.
    if (path === "Amt" || path === "AmtDtls/TxAmt/Amt") own ??= found;
  }
  return own;
}

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

/** What an entry takes over from the statement around it. */
type Around = { id: string; account: string; createdOn: string };

/** What a file of ours is called, where an entry or a part of it books a file as a whole. */
type Batch = Pick<EntryReferences, "messageId" | "paymentInformationId">;

const noBatch: Batch = { messageId: "", paymentInformationId: "" };

export class CamtEntry {
  readonly element: XmlElement;
  readonly statement: Around;
  amount: Amount | undefined;
  direction: Direction | undefined;
  status = "BOOK";
  readonly #problems: FileProblems;
  readonly #check: ShapeCheck;
  readonly #parts = new Map<string, XmlElement>();
  #transactions = 0;
  #announced: number | undefined;
  /** Of the details that are read. */
  #batch = noBatch;
  readonly #batches: Batch[] = [];

  constructor(element: XmlElement, statement: Around, problems: FileProblems) {
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
    if (child.name === "NtryDtls") this.#batch = noBatch;
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
      this.#batch,
    );
    if (!booking) return undefined;
    return {
      kind: "transaction",
      ...booking,
      entryLine: this.element.line,
      debtorName: nameIn(child, "Dbtr"),
      debtorAccount: accountIn(child, "RltdPties/DbtrAcct"),
      creditorName: nameIn(child, "Cdtr"),
      creditorAccount: accountIn(child, "RltdPties/CdtrAcct"),
      remittance: remittanceIn(child),
      creditorReference: creditorReferenceIn(child),
      information: textAt(child, "AddtlTxInf"),
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
    const booking = this.#booking(element, this.amount, this.direction, this.#onlyBatch());
    if (!booking) return undefined;
    const information = this.#parts.get("AddtlNtryInf")?.text ?? "";
    const announcedTransactions = announced;
    return { kind: "entry", ...booking, transactions, announcedTransactions, information };
  }

  #announce(batch: XmlElement): void {
    const count = textAt(batch, "NbOfTxs");
    if (/^\d{1,15}$/.test(count)) this.#announced = (this.#announced ?? 0) + Number(count);
    const of = (name: string) => given(textAt(batch, name));
    this.#batch = { messageId: of("MsgId"), paymentInformationId: of("PmtInfId") };
    this.#batches.push(this.#batch);
  }

  /** What all batches of the entry agree on. */
  #onlyBatch(): Batch {
    const batches = this.#batches;
    const only = (name: keyof Batch) => {
      const first = batches[0]?.[name] ?? "";
      return batches.every((batch) => batch[name] === first) ? first : "";
    };
    return { messageId: only("messageId"), paymentInformationId: only("paymentInformationId") };
  }

  /** Its own amount since version 04. Before, in the details of the amount. In the entry's currency, where there is one. */
  #transactionAmount(transaction: XmlElement) {
    const direction = readDirection(findElement(transaction, "CdtDbtInd"), this.#problems);
    const element = amountElementIn(transaction, this.amount?.currency);
    const amount = element && readAmountElement(element, "tolerant", this.#problems);
    return { amount, direction };
  }

  #booking(
    source: XmlElement,
    amount: Amount | undefined,
    direction: Direction | undefined,
    batch: Batch,
  ) {
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
      createdOn: statement.createdOn,
      amount: amount.minor,
      currency: amount.currency,
      direction,
      status,
      isReversal: /^(true|1)$/.test(parts.get("RvslInd")?.text ?? ""),
      bookingDate:
        source === this.element ? readDay(parts.get("BookgDt"), problems) : this.#day("BookgDt"),
      valueDate:
        source === this.element ? readDay(parts.get("ValDt"), problems) : this.#day("ValDt"),
      references: referencesIn(source, parts, batch),
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
  batch: Batch,
): EntryReferences {
  const of = (name: string) => given(textAt(source, `Refs/${name}`));
  return {
    messageId: of("MsgId") || batch.messageId,
    accountServicerReference: of("AcctSvcrRef") || given(entryParts.get("AcctSvcrRef")?.text ?? ""),
    paymentInformationId: of("PmtInfId") || batch.paymentInformationId,
    instructionId: of("InstrId"),
    endToEndId: of("EndToEndId"),
    uetr: of("UETR"),
    transactionId: of("TxId"),
  };
}

/** Banks write these where there is no reference. */
function given(reference: string): string {
  return /^(NOT ?PROVIDED|NONREF|NOREF)$/i.test(reference) ? "" : reference;
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

/** Of the party; of the one that it acts for, where it has no name. Since version 08 the party may be a bank. */
function nameIn(transaction: XmlElement, party: "Dbtr" | "Cdtr"): string {
  const parties = findElement(transaction, "RltdPties");
  if (!parties) return "";
  for (const name of party === "Dbtr" ? debtorNames : creditorNames) {
    const found = findElement(parties, name);
    const text = found && textAt(found, "Nm", "Pty/Nm", "Agt/FinInstnId/Nm");
    if (text) return text;
  }
  return "";
}

const debtorNames = ["Dbtr", "UltmtDbtr"] as const;
const creditorNames = ["Cdtr", "UltmtCdtr"] as const;

function remittanceIn(transaction: XmlElement): string {
  const information = findElement(transaction, "RmtInf");
  if (!information) return "";
  const free = childrenOf(information, "Ustrd").map(({ text }) => text);
  const structured = childrenOf(information, "Strd").flatMap((part) => [
    textAt(part, "CdtrRefInf/Ref"),
    ...childrenOf(part, "RfrdDocInf").map((document) => textAt(document, "Nb")),
    ...childrenOf(part, "AddtlRmtInf").map(({ text }) => text),
  ]);
  return [...free, ...structured].filter((text) => text !== "").join(" ");
}

function creditorReferenceIn(transaction: XmlElement): string {
  const information = findElement(transaction, "RmtInf");
  const parts = information ? childrenOf(information, "Strd") : [];
  return parts.map((part) => textAt(part, "CdtrRefInf/Ref")).find((text) => text !== "") ?? "";
}
