// What the simulated bank says about a file: a text, or a status report (pain.002) for a pain.001.

import { toDecimal } from "./amounts.ts";
import type { DecidedFile, DecidedInstruction } from "./decision.ts";
import { instructedSum } from "./instruction-file.ts";
import { causeCodes } from "./outcomes.ts";
import { element } from "./xml-tree.ts";

export function timeText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** For every format but pain.001, and for files that can't be read at all. */
export function writeTextAcknowledgement(decided: DecidedFile): string {
  const { name, sha256, receivedMs, reference, isAccepted, file } = decided;
  const { format, currency, instructions, hashTotal, processDate, problems } = file;
  const sum = instructedSum(file);
  const facts: [string, string][] = [
    ["File", name.replaceAll(/[^ -~]/g, "?")],
    ["SHA-256", sha256],
    ["Format", format],
    ["Received", timeText(receivedMs)],
    ["Status", isAccepted ? "ACCEPTED" : "REJECTED"],
    ["Bank reference", reference],
    ["Payments", String(instructions.length)],
    ["Total", currency === "" ? "" : `${toDecimal(sum, currency)} ${currency}`],
    ["Hash total", hashTotal],
    ["Process date", processDate],
  ];
  const lines = facts
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `${`${label}:`.padEnd(16)}${value}`);
  const list = problems.length === 0 ? [] : ["", "Problems:", ...problems.map((one) => `  ${one}`)];
  return ["BANK SIMULATOR: FILE ACKNOWLEDGEMENT", "", ...lines, ...list, ""].join("\r\n");
}

/** pain.002 answers .03 in its own version, and .09 in the version of its year. */
function statusMessageName(format: string): string {
  return format.endsWith("03") ? "pain.002.001.03" : "pain.002.001.10";
}

/** The longest AddtlInf. */
const infoLength = 105;
const infosMax = 20;

function writeStatusReport(
  { file, reference }: DecidedFile,
  { id, status, atMs }: { id: string; status: string; atMs: number },
  parts: { reasons?: string; payments?: string },
): string {
  const { format, messageId, currency, instructions } = file;
  const header = element("MsgId", `${reference}-${id}`) + element("CreDtTm", timeText(atMs));
  const group =
    element("OrgnlMsgId", messageId) +
    element("OrgnlMsgNmId", format) +
    element("OrgnlNbOfTxs", String(instructions.length)) +
    element("OrgnlCtrlSum", toDecimal(instructedSum(file), currency)) +
    element("GrpSts", status) +
    (parts.reasons ?? "");
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${statusMessageName(format)}">\n<CstmrPmtStsRpt>\n` +
    `<GrpHdr>${header}</GrpHdr>\n<OrgnlGrpInfAndSts>${group}</OrgnlGrpInfAndSts>\n` +
    `${parts.payments ?? ""}</CstmrPmtStsRpt>\n</Document>\n`
  );
}

/** The first report: the whole file is accepted or rejected. */
export function writeFileStatus(decided: DecidedFile, atMs: number): string {
  const { isAccepted, file } = decided;
  if (isAccepted) return writeStatusReport(decided, { id: "1", status: "ACCP", atMs }, {});
  const isDuplicate = file.problems.some((problem) => problem.includes("is a duplicate of"));
  const infos = file.problems
    .slice(0, infosMax)
    .map((problem) => element("AddtlInf", problem.slice(0, infoLength)));
  const code = element("Cd", isDuplicate ? "DU01" : "FF01");
  const reasons = `<StsRsnInf><Rsn>${code}</Rsn>${infos.join("")}</StsRsnInf>`;
  return writeStatusReport(decided, { id: "1", status: "RJCT", atMs }, { reasons });
}

/** The second report: each payment is paid or rejected. Silent ones are left out. */
export function writePaymentStatuses(decided: DecidedFile, atMs: number): string {
  const told = decided.payments.filter(({ outcome }) => outcome.kind !== "silent");
  const isAllPaid =
    told.length === decided.payments.length &&
    told.every(({ outcome }) => outcome.kind !== "rejected");
  const blocks = new Map<string, string[]>();
  for (const one of told) {
    const { heading } = one.instruction;
    const block = blocks.get(heading) ?? [];
    if (block.length === 0) blocks.set(heading, block);
    block.push(paymentStatus(one));
  }
  const payments = [...blocks].map(
    ([id, statuses]) =>
      `<OrgnlPmtInfAndSts>${element("OrgnlPmtInfId", id)}\n${statuses.join("")}</OrgnlPmtInfAndSts>\n`,
  );
  const status = isAllPaid ? "ACCC" : "PART";
  return writeStatusReport(decided, { id: "2", status, atMs }, { payments: payments.join("") });
}

function paymentStatus({ instruction, outcome }: DecidedInstruction): string {
  const ids =
    element("OrgnlInstrId", instruction.instructionId) + element("OrgnlEndToEndId", instruction.id);
  if (outcome.kind !== "rejected" || !("cause" in outcome)) {
    return `<TxInfAndSts>${ids}${element("TxSts", "ACCC")}</TxInfAndSts>\n`;
  }
  const code = element("Cd", causeCodes.iso[outcome.cause]);
  const reason = `<StsRsnInf><Rsn>${code}</Rsn>${element("AddtlInf", outcome.cause)}</StsRsnInf>`;
  return `<TxInfAndSts>${ids}${element("TxSts", "RJCT")}${reason}</TxInfAndSts>\n`;
}
