// Where each field of a NACHA addenda record stands, by the type of the addenda and, for returns, by their reason.

import { fixedLayout, type RecordLayout } from "../record-layout.ts";
import { recordLength } from "./layouts.ts";

/** The payment related information of most entry classes. */
const paymentAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  information: [4, 80, "text", "information"],
  sequence: [84, 4, "digits", "addenda sequence number"],
  entrySequence: [88, 7, "digits", "entry sequence number"],
});

/** Where a card was used: MTE, POS and SHR. */
const terminalAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  reference1: [4, 7, "text", "reference 1"],
  reference2: [11, 3, "text", "reference 2"],
  terminal: [14, 6, "text", "terminal"],
  serialNumber: [20, 6, "text", "serial number"],
  date: [26, 4, "text", "date"],
  authorization: [30, 6, "text", "authorization"],
  location: [36, 27, "text", "location"],
  city: [63, 15, "text", "city"],
  state: [78, 2, "text", "state"],
  traceNumber: [80, 15, "digits", "trace number"],
});

/** IAT, types 10 to 16: one text each, of several fields that we don't read. */
const partyAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  information: [4, 84, "text", "information"],
  entrySequence: [88, 7, "digits", "entry sequence number"],
});

/** IAT, type 18: a foreign correspondent bank. */
const correspondentAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  bankName: [4, 35, "text", "bank name"],
  bankIdQualifier: [39, 2, "text", "qualifier of the bank identification"],
  bankId: [41, 34, "text", "bank identification"],
  bankCountry: [75, 3, "text", "bank country"],
  reserved: [78, 6, "blank", "reserved field"],
  sequence: [84, 4, "digits", "addenda sequence number"],
  entrySequence: [88, 7, "digits", "entry sequence number"],
});

const changeAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  reserved: [22, 6, "blank", "reserved field"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  correctedData: [36, 29, "text", "corrected data"],
  reserved2: [65, 15, "blank", "reserved field"],
  traceNumber: [80, 15, "digits", "trace number"],
});

const internationalChangeAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  reserved: [22, 6, "blank", "reserved field"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  correctedData: [36, 35, "text", "corrected data"],
  reserved2: [71, 9, "blank", "reserved field"],
  traceNumber: [80, 15, "digits", "trace number"],
});

const refusedChangeAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  reserved: [22, 6, "blank", "reserved field"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  correctedData: [36, 29, "text", "corrected data"],
  changeCode: [65, 3, "text", "change code"],
  changeTraceSequence: [68, 7, "text", "change trace sequence"],
  reserved2: [75, 5, "blank", "reserved field"],
  traceNumber: [80, 15, "digits", "trace number"],
});

/** All addenda begin with these fields, but only returns and notifications of change have a code. */
export const returnAddendaLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  dateOfDeath: [22, 6, "text", "date of death"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  information: [36, 44, "text", "information"],
  traceNumber: [80, 15, "digits", "trace number"],
});

const internationalReturnAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  dateOfDeath: [22, 6, "text", "date of death"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  originalAmount: [36, 10, "text", "original amount"],
  information: [46, 34, "text", "information"],
  traceNumber: [80, 15, "digits", "trace number"],
});

const dishonouredReturnAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  reserved: [22, 6, "blank", "reserved field"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  reserved2: [36, 3, "blank", "reserved field"],
  returnTraceNumber: [39, 15, "text", "return trace number"],
  returnSettlementDate: [54, 3, "text", "return settlement date"],
  returnCode: [57, 2, "text", "return code"],
  information: [59, 21, "text", "information"],
  traceNumber: [80, 15, "digits", "trace number"],
});

const contestedReturnAddenda = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  addendaType: [2, 2, "digits", "addenda type"],
  code: [4, 3, "text", "code"],
  originalTraceNumber: [7, 15, "text", "original trace number"],
  returnedOn: [22, 6, "text", "returned on"],
  originalRdfi: [28, 8, "text", "original receiving bank"],
  originalSettlementDate: [36, 3, "text", "original settlement date"],
  returnTraceNumber: [39, 15, "text", "return trace number"],
  returnSettlementDate: [54, 3, "text", "return settlement date"],
  returnCode: [57, 2, "text", "return code"],
  dishonouredTraceNumber: [59, 15, "text", "dishonoured trace number"],
  dishonouredSettlementDate: [74, 3, "text", "dishonoured settlement date"],
  dishonouredCode: [77, 2, "text", "dishonoured code"],
  reserved: [79, 1, "blank", "reserved field"],
  traceNumber: [80, 15, "digits", "trace number"],
});

/** What an addenda record says. */
export type AddendaKind =
  | "information"
  | "change"
  | "refused_change"
  | "return"
  | "dishonoured_return"
  | "contested_return";

type AddendaLayout = { kind: AddendaKind; layout: RecordLayout<string> };

/** The kind and layout of an addenda record; undefined where its type is unknown. */
export function findAddendaLayout(
  type: string,
  code: string,
  isInternational: boolean,
): AddendaLayout | undefined {
  if (type === "99") return returnLayout(code, isInternational);
  if (type === "98") return changeLayout(code, isInternational);
  const layout = informationLayout(type);
  return layout && { kind: "information", layout };
}

function informationLayout(type: string): RecordLayout<string> | undefined {
  if (type === "02") return terminalAddenda;
  if (type === "05" || type === "17") return paymentAddenda;
  if (type === "18") return correspondentAddenda;
  return /^1[0-6]$/.test(type) ? partyAddenda : undefined;
}

function returnLayout(code: string, isInternational: boolean): AddendaLayout {
  if (/^R6|^R70/.test(code))
    return { kind: "dishonoured_return", layout: dishonouredReturnAddenda };
  if (/^R7/.test(code)) return { kind: "contested_return", layout: contestedReturnAddenda };
  return {
    kind: "return",
    layout: isInternational ? internationalReturnAddenda : returnAddendaLayout,
  };
}

function changeLayout(code: string, isInternational: boolean): AddendaLayout {
  if (/^C6/.test(code)) return { kind: "refused_change", layout: refusedChangeAddenda };
  return { kind: "change", layout: isInternational ? internationalChangeAddenda : changeAddenda };
}
