// Reads payment status reports (pain.002) of any version: what the bank says about our file and its payments.

import { childrenOf, findElement, readXml, textAt, type XmlElement } from "../documents/index.ts";
import { FileProblems, type FileReport } from "../report.ts";
import { headerShape, openMessage } from "./message-frame.ts";
import type { Message } from "./messages.ts";
import { checkShape, ShapeCheck, shape } from "./shapes.ts";
import { meaningOfStatus, type StatusMeaning } from "./status-codes.ts";

/** A code of the bank code table, and what the bank adds in its own words. */
type StatusReason = { code: string; text: string };

export type StatusRecord = {
  /** The whole file, one block of payments in it, or one payment. */
  kind: "group" | "payment_information" | "transaction";
  line: number;
  column: number;
  originalMessageId: string;
  originalPaymentInformationId: string;
  instructionId: string;
  endToEndId: string;
  uetr: string;
  /** The most specific that the bank gives: its own, else that of its block, else that of the file. May be empty. */
  status: string;
  /** Undefined for an empty or unknown status. */
  meaning: StatusMeaning | undefined;
  statusText: string;
  reasons: StatusReason[];
  accountServicerReference: string;
};

const messageShape = shape("GrpHdr! OrgnlGrpInfAndSts! OrgnlPmtInfAndSts* SplmtryData*");
// Real banks leave these ids out where they could not read our file.
const groupShape = shape(
  "OrgnlMsgId? OrgnlMsgNmId? OrgnlCreDtTm OrgnlNbOfTxs OrgnlCtrlSum GrpSts StsRsnInf* NbOfTxsPerSts*",
);
const paymentShape = shape(
  "OrgnlPmtInfId? OrgnlNbOfTxs OrgnlCtrlSum PmtInfSts StsRsnInf* NbOfTxsPerSts* TxInfAndSts*",
);
const transactionShape = shape(
  "StsId OrgnlInstrId OrgnlEndToEndId OrgnlUETR TxSts StsRsnInf* ChrgsInf* AccptncDtTm AcctSvcrRef ClrSysRef OrgnlTxRef",
);

const containers = new Set(["OrgnlPmtInfAndSts"]);
const noReferences = { instructionId: "", endToEndId: "", uetr: "", accountServicerReference: "" };

/** Yields the file's status, then transactions, each block of payments after its own. Ends with the report. */
export function* readPain002(
  text: string,
  message: Message,
): Generator<StatusRecord, FileReport, void> {
  const problems = new FileProblems();
  const report = { format: message.name, problems: problems.all, count: 0, totals: new Map() };
  const frame = openMessage(message, containers, problems);
  const check = new ShapeCheck(messageShape, problems, "warning");
  const group = { originalMessageId: "", status: "" };
  let block: StatusBlock | undefined;

  for (const event of readXml(text, frame.isContainer, problems)) {
    frame.see(event);
    const { type, element, parent } = event;
    if (type === "close") {
      if (element.name === frame.name) check.end(element);
      if (element.name === "OrgnlPmtInfAndSts" && block) yield block.end(group);
      continue;
    }
    if (parent === frame.name) check.see(element);
    if (type === "open") {
      if (element.name === "OrgnlPmtInfAndSts") block = new StatusBlock(element, problems);
    } else if (element.name === "GrpHdr") {
      checkShape(element, headerShape, problems, "warning");
    } else if (element.name === "OrgnlGrpInfAndSts") {
      checkShape(element, groupShape, problems, "warning");
      group.originalMessageId = textAt(element, "OrgnlMsgId");
      group.status = textAt(element, "GrpSts");
      checkStatus(findElement(element, "GrpSts"), problems);
      const reasons = reasonsOf(childrenOf(element, "StsRsnInf"));
      yield record("group", element, { ...group, ...noReferences, reasons });
    } else if (element.name === "TxInfAndSts") {
      report.count += 1;
      block?.see(element);
      yield readTransaction(element, group, block, problems);
    } else {
      block?.see(element);
    }
  }
  frame.end();
  return report;
}

/** A block of payments (OrgnlPmtInfAndSts) while it is read. Its status comes before its transactions. */
class StatusBlock {
  id = "";
  status = "";
  readonly #element: XmlElement;
  readonly #problems: FileProblems;
  readonly #check: ShapeCheck;
  readonly #reasons: XmlElement[] = [];

  constructor(element: XmlElement, problems: FileProblems) {
    this.#element = element;
    this.#problems = problems;
    this.#check = new ShapeCheck(paymentShape, problems, "warning");
  }

  see(child: XmlElement): void {
    this.#check.see(child);
    if (child.name === "OrgnlPmtInfId") this.id = child.text;
    if (child.name === "StsRsnInf") this.#reasons.push(child);
    if (child.name !== "PmtInfSts") return;
    this.status = child.text;
    checkStatus(child, this.#problems);
  }

  end({ originalMessageId, status }: { originalMessageId: string; status: string }): StatusRecord {
    this.#check.end(this.#element);
    return record("payment_information", this.#element, {
      ...noReferences,
      originalMessageId,
      originalPaymentInformationId: this.id,
      status: this.status || status,
      reasons: reasonsOf(this.#reasons),
    });
  }
}

function readTransaction(
  element: XmlElement,
  group: { originalMessageId: string; status: string },
  block: StatusBlock | undefined,
  problems: FileProblems,
): StatusRecord {
  checkShape(element, transactionShape, problems, "warning");
  checkStatus(findElement(element, "TxSts"), problems);
  const status = textAt(element, "TxSts") || block?.status || group.status;
  if (status === "") {
    const message = "expected a status (TxSts) here or around it, found none";
    problems.warning(element.line, element.column, message);
  }
  return record("transaction", element, {
    originalMessageId: group.originalMessageId,
    originalPaymentInformationId: block?.id ?? "",
    instructionId: textAt(element, "OrgnlInstrId"),
    endToEndId: textAt(element, "OrgnlEndToEndId"),
    uetr: textAt(element, "OrgnlUETR"),
    status,
    reasons: reasonsOf(childrenOf(element, "StsRsnInf")),
    accountServicerReference: textAt(element, "AcctSvcrRef"),
  });
}

type StatusFacts = Omit<
  StatusRecord,
  "kind" | "line" | "column" | "meaning" | "statusText" | "originalPaymentInformationId"
> & { originalPaymentInformationId?: string };

function record(kind: StatusRecord["kind"], element: XmlElement, facts: StatusFacts): StatusRecord {
  const { line, column } = element;
  const known = meaningOfStatus(facts.status);
  return {
    kind,
    line,
    column,
    originalPaymentInformationId: "",
    ...facts,
    meaning: known?.meaning,
    statusText: known?.text ?? "",
  };
}

function checkStatus(element: XmlElement | undefined, problems: FileProblems): void {
  if (!element || meaningOfStatus(element.text)) return;
  const { name, text, line, column } = element;
  const message = `expected a status of ISO 20022 in ${name}, found "${text.slice(0, 8)}"`;
  problems.warning(line, column, message);
}

function reasonsOf(elements: XmlElement[]): StatusReason[] {
  return elements.map((element) => ({
    code: textAt(element, "Rsn/Cd", "Rsn/Prtry"),
    text: childrenOf(element, "AddtlInf")
      .map(({ text }) => text)
      .join(" "),
  }));
}
