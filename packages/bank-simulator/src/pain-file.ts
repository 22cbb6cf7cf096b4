// Credit transfer initiations (pain.001) as a bank takes them.

import { decimals, isCurrency } from "./amounts.ts";
import { dateFrom } from "./fixed-records.ts";
import {
  emptyFile,
  FileComplaints,
  type InstructionFile,
  instructedSum,
} from "./instruction-file.ts";
import { isNzAccount } from "./nz-account.ts";
import { nodesAt, readXmlTree, valueAt, type XmlNode, XmlRefusal } from "./xml-tree.ts";

const messages = /^urn:iso:std:iso:20022:tech:xsd:(pain\.001\.001\.(?:03|09))$/;

export function readTransferMessage(text: string): InstructionFile {
  const complaints = new FileComplaints();
  const file = { ...emptyFile("pain.001"), problems: complaints.all };
  try {
    const root = readXmlTree(text);
    const [, name] = messages.exec(root.attributes.xmlns ?? "") ?? [];
    const [message] = nodesAt(root, "CstmrCdtTrfInitn");
    if (root.name !== "Document" || !name || !message) {
      complaints.about("the message is neither pain.001.001.03 nor pain.001.001.09");
      return file;
    }
    file.format = name;
    readMessage(message, file, complaints);
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    complaints.about(error.message);
  }
  return file;
}

function readMessage(message: XmlNode, file: InstructionFile, complaints: FileComplaints): void {
  file.messageId = valueAt(message, "GrpHdr/MsgId");
  file.customer = valueAt(message, "GrpHdr/InitgPty/Nm");
  if (!isId(file.messageId)) complaints.about("MsgId has not 1 to 35 characters");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(valueAt(message, "GrpHdr/CreDtTm"))) {
    complaints.about("CreDtTm is no date with a time");
  }
  if (file.customer === "") complaints.about("InitgPty has no name");
  const blocks = nodesAt(message, "PmtInf");
  for (const block of blocks) readBlock(block, file, complaints);
  if (blocks.length === 0) complaints.about("the message has no PmtInf");
  if (file.instructions.length === 0) complaints.about("the message has no payment");
  const header = nodesAt(message, "GrpHdr")[0] ?? message;
  if (valueAt(header, "NbOfTxs") === "") complaints.about("GrpHdr has no NbOfTxs");
  compareTotals("GrpHdr", header, file, complaints);
}

function isId(text: string): boolean {
  return text.length >= 1 && text.length <= 35;
}

/** How most currencies are written, for messages without a currency. */
const usualDecimals = 2;

function decimalsOf(currency: string): number {
  return currency === "" ? usualDecimals : decimals(currency);
}

/** Zeros at the end say nothing: 10.00 is an amount of yen, too, and control sums may leave them out. */
function toMinor(text: string, currency: string): bigint | undefined {
  const [, whole, part = ""] = /^(\d{1,16})(?:\.(?=\d)(\d*?)0*)?$/.exec(text) ?? [];
  const places = decimalsOf(currency);
  if (whole === undefined || part.length > places) return undefined;
  return BigInt(whole + part.padEnd(places, "0"));
}

/** A block may leave its totals out. */
function compareTotals(
  where: string,
  node: XmlNode,
  payments: Pick<InstructionFile, "instructions" | "currency">,
  complaints: FileComplaints,
): void {
  const { length } = payments.instructions;
  const count = valueAt(node, "NbOfTxs");
  if (count !== "" && Number(count) !== length) {
    complaints.about(`NbOfTxs of ${where} is ${count}, but there are ${length} payments`);
  }
  const stated = valueAt(node, "CtrlSum");
  if (stated !== "" && toMinor(stated, payments.currency) !== instructedSum(payments)) {
    complaints.about(`CtrlSum of ${where} is ${stated}, but the payments add up to another sum`);
  }
}

function readBlock(block: XmlNode, file: InstructionFile, complaints: FileComplaints): void {
  const first = file.instructions.length;
  const blockId = valueAt(block, "PmtInfId");
  if (!isId(blockId)) complaints.about("PmtInfId has not 1 to 35 characters");
  if (valueAt(block, "PmtMtd") !== "TRF") complaints.about("PmtMtd is not TRF");
  const datePath = file.format.endsWith("09") ? "ReqdExctnDt/Dt" : "ReqdExctnDt";
  const [year = "", month = "", day = ""] = valueAt(block, datePath).split("-");
  file.processDate = dateFrom(year, month, day);
  if (file.processDate === "") complaints.about(`${datePath} is no date`);
  if (valueAt(block, "Dbtr/Nm") === "") complaints.about("Dbtr has no name");
  const agent = nodesAt(block, "DbtrAgt/FinInstnId")[0];
  if (!agent) complaints.about("DbtrAgt is missing");
  readCurrency(block, file, complaints);
  const payer = accountOf(block, "DbtrAcct", "DbtrAgt");
  if (payer.account === "") complaints.about("DbtrAcct has no account");
  file.payer = payer;
  const isSepa = valueAt(block, "PmtTpInf/SvcLvl/Cd") === "SEPA";
  if (isSepa && valueAt(block, "ChrgBr") !== "SLEV") complaints.about("SEPA needs ChrgBr SLEV");
  checkAddress(block, "Dbtr", complaints);
  for (const transfer of nodesAt(block, "CdtTrfTxInf")) {
    readTransfer(transfer, { file, blockId, isSepa, complaints });
  }
  const instructions = file.instructions.slice(first);
  compareTotals("PmtInf", block, { instructions, currency: file.currency }, complaints);
}

/** All blocks of a message pay in one currency: its answers have one total. */
function readCurrency(block: XmlNode, file: InstructionFile, complaints: FileComplaints): void {
  const currency = valueAt(block, "DbtrAcct/Ccy");
  if (!isCurrency(currency)) complaints.about("the currency of DbtrAcct is unknown");
  else if (file.currency === "") file.currency = currency;
  else if (file.currency !== currency) complaints.about("the message pays in several currencies");
}

type TransferContext = {
  file: InstructionFile;
  blockId: string;
  isSepa: boolean;
  complaints: FileComplaints;
};

function readTransfer(transfer: XmlNode, context: TransferContext): void {
  const { file, blockId, isSepa, complaints } = context;
  const number = file.instructions.length + 1;
  const complain = (text: string) => complaints.about(`payment ${number}: ${text}`);
  const id = valueAt(transfer, "PmtId/EndToEndId");
  const name = valueAt(transfer, "Cdtr/Nm");
  const reference = valueAt(transfer, "RmtInf/Ustrd");
  const uetr = valueAt(transfer, "PmtId/UETR");
  const amount = nodesAt(transfer, "Amt/InstdAmt")[0];
  const minor = toMinor(amount?.text.trim() ?? "", file.currency) ?? 0n;
  const currency = amount?.attributes.Ccy ?? "";
  const places = decimalsOf(file.currency);
  const payee = accountOf(transfer, "CdtrAcct", "CdtrAgt");
  if (!isId(id)) complain("EndToEndId has not 1 to 35 characters");
  if (uetr !== "" && !uuid4.test(uetr)) complain("UETR is no UUID of version 4");
  if (minor === 0n) complain(`the amount is no number above zero with at most ${places} decimals`);
  if (file.currency !== "" && currency !== file.currency)
    complain(`the currency is ${currency}, not ${file.currency}`);
  const nameMax = isSepa ? 70 : 140;
  if (name === "" || name.length > nameMax) complain(`Nm has not 1 to ${nameMax} characters`);
  if (reference.length > 140) complain("Ustrd is longer than 140 characters");
  if (payee.account === "") complain("CdtrAcct has no account");
  const iban = valueAt(transfer, "CdtrAcct/Id/IBAN");
  if (iban !== "" && !hasRightIban(iban)) complain("the check digits of the IBAN are wrong");
  if (isSepa && iban === "") complain("SEPA needs an IBAN");
  if (isSepa && currency !== "EUR") complain("SEPA pays EUR only");
  if (isSepa && !sepaText.test(name + reference)) complain("a character is none of SEPA's");
  checkAddress(transfer, "Cdtr", complaints);
  file.instructions.push({
    number,
    amount: minor,
    currency,
    bank: payee.bank,
    account: payee.account,
    name,
    reference,
    id,
    instructionId: valueAt(transfer, "PmtId/InstrId"),
    record: "",
    heading: blockId,
  });
}

const uuid4 = /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/;
const sepaText = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** An IBAN, or a number with its clearing code. Those of New Zealand come in two parts, which belong together. */
function accountOf(node: XmlNode, account: string, agent: string) {
  const iban = valueAt(node, `${account}/Id/IBAN`);
  const institution = `${agent}/FinInstnId`;
  const bic = valueAt(node, `${institution}/BICFI`) || valueAt(node, `${institution}/BIC`);
  if (iban !== "") return { bank: bic, account: iban };
  const bank = valueAt(node, `${institution}/ClrSysMmbId/MmbId`);
  const number = valueAt(node, `${account}/Id/Othr/Id`);
  const system = valueAt(node, `${institution}/ClrSysMmbId/ClrSysId/Cd`);
  if (system !== "NZNCC") return { bank, account: /^\d{6}$/.test(bank) ? number : "" };
  const whole = bank + number;
  return { bank: "", account: isNzAccount(whole) ? whole : "" };
}

function hasRightIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = [...(iban.slice(4) + iban.slice(0, 4))]
    .map((sign) => Number.parseInt(sign, 36))
    .join("");
  return BigInt(digits) % 97n === 1n;
}

/** Banks refuse addresses that are lines only. */
function checkAddress(node: XmlNode, party: string, complaints: FileComplaints): void {
  const [address] = nodesAt(node, `${party}/PstlAdr`);
  if (!address) return;
  if (valueAt(address, "TwnNm") !== "" && /^[A-Z]{2}$/.test(valueAt(address, "Ctry"))) return;
  complaints.about(`the address of ${party} has no town or no country of two letters`);
}
