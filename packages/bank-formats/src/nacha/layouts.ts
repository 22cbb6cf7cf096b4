// Where each field of a NACHA record stands. The reader and the writer share these tables.

import { fixedLayout } from "../record-layout.ts";

export const recordLength = 94;

/** A file is filled with lines of nines to full blocks. */
export const linesOfBlock = 10;

export const nachaFileHeaderLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  priorityCode: [2, 2, "digits", "priority code"],
  // A space and nine digits, or ten characters that the bank gives.
  immediateDestination: [4, 10, "text", "immediate destination"],
  immediateOrigin: [14, 10, "text", "immediate origin"],
  creationDate: [24, 6, "digits", "creation date"],
  creationTime: [30, 4, "text", "creation time"],
  fileIdModifier: [34, 1, "text", "file ID modifier"],
  recordSize: [35, 3, "digits", "record size"],
  blockingFactor: [38, 2, "digits", "blocking factor"],
  formatCode: [40, 1, "digits", "format code"],
  destinationName: [41, 23, "text", "destination name"],
  originName: [64, 23, "text", "origin name"],
  referenceCode: [87, 8, "text", "reference code"],
});

export const nachaBatchHeaderLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  serviceClass: [2, 3, "digits", "service class"],
  companyName: [5, 16, "text", "company name"],
  discretionaryData: [21, 20, "text", "discretionary data"],
  companyId: [41, 10, "text", "company identification"],
  entryClass: [51, 3, "text", "entry class"],
  entryDescription: [54, 10, "text", "entry description"],
  descriptiveDate: [64, 6, "text", "descriptive date"],
  effectiveDate: [70, 6, "text", "effective date"],
  settlementDate: [76, 3, "text", "settlement date"],
  originatorStatus: [79, 1, "text", "originator status"],
  odfi: [80, 8, "digits", "originating bank"],
  batchNumber: [88, 7, "digits", "batch number"],
});

export const internationalBatchLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  serviceClass: [2, 3, "digits", "service class"],
  // Blank, or IATCOR for notifications of change.
  internationalIndicator: [5, 16, "text", "international indicator"],
  exchangeIndicator: [21, 2, "text", "exchange indicator"],
  exchangeReferenceIndicator: [23, 1, "text", "exchange reference indicator"],
  exchangeReference: [24, 15, "text", "exchange reference"],
  destinationCountry: [39, 2, "text", "destination country"],
  companyId: [41, 10, "text", "company identification"],
  entryClass: [51, 3, "text", "entry class"],
  entryDescription: [54, 10, "text", "entry description"],
  originatingCurrency: [64, 3, "text", "originating currency"],
  destinationCurrency: [67, 3, "text", "destination currency"],
  effectiveDate: [70, 6, "text", "effective date"],
  settlementDate: [76, 3, "text", "settlement date"],
  originatorStatus: [79, 1, "text", "originator status"],
  odfi: [80, 8, "digits", "originating bank"],
  batchNumber: [88, 7, "digits", "batch number"],
});

export const nachaEntryLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  transactionCode: [2, 2, "digits", "transaction code"],
  rdfi: [4, 8, "digits", "receiving bank"],
  checkDigit: [12, 1, "digits", "check digit"],
  accountNumber: [13, 17, "text", "account number"],
  amount: [30, 10, "digits", "amount"],
  identification: [40, 15, "text", "identification number"],
  name: [55, 22, "text", "name"],
  discretionaryData: [77, 2, "text", "discretionary data"],
  addendaIndicator: [79, 1, "digits", "addenda indicator"],
  traceNumber: [80, 15, "digits", "trace number"],
});

/** CTX, ATX, ENR and TRX: a shorter name after the number of addenda. */
export const countedEntryLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  transactionCode: [2, 2, "digits", "transaction code"],
  rdfi: [4, 8, "digits", "receiving bank"],
  checkDigit: [12, 1, "digits", "check digit"],
  accountNumber: [13, 17, "text", "account number"],
  amount: [30, 10, "digits", "amount"],
  identification: [40, 15, "text", "identification number"],
  addendaCount: [55, 4, "digits", "number of addenda"],
  name: [59, 16, "text", "name"],
  reserved: [75, 2, "blank", "reserved field"],
  discretionaryData: [77, 2, "text", "discretionary data"],
  addendaIndicator: [79, 1, "digits", "addenda indicator"],
  traceNumber: [80, 15, "digits", "trace number"],
});

export const internationalEntryLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  transactionCode: [2, 2, "digits", "transaction code"],
  rdfi: [4, 8, "digits", "receiving bank"],
  checkDigit: [12, 1, "digits", "check digit"],
  addendaCount: [13, 4, "digits", "number of addenda"],
  reserved: [17, 13, "blank", "reserved field"],
  amount: [30, 10, "digits", "amount"],
  accountNumber: [40, 35, "text", "account number"],
  reserved2: [75, 2, "blank", "reserved field"],
  gatewayScreening: [77, 1, "text", "gateway screening"],
  secondaryScreening: [78, 1, "text", "secondary screening"],
  addendaIndicator: [79, 1, "digits", "addenda indicator"],
  traceNumber: [80, 15, "digits", "trace number"],
});

/** ADV: an operator's advice about sums. The last fields together stand where others have the trace number. */
export const adviceEntryLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  transactionCode: [2, 2, "digits", "transaction code"],
  rdfi: [4, 8, "digits", "receiving bank"],
  checkDigit: [12, 1, "digits", "check digit"],
  accountNumber: [13, 15, "text", "account number"],
  amount: [28, 12, "digits", "amount"],
  adviceRoutingNumber: [40, 9, "text", "advice routing number"],
  identification: [49, 5, "text", "identification number"],
  operatorData: [54, 1, "text", "operator data"],
  name: [55, 22, "text", "name"],
  discretionaryData: [77, 2, "text", "discretionary data"],
  addendaIndicator: [79, 1, "digits", "addenda indicator"],
  traceNumber: [80, 15, "digits", "trace number"],
});

export const nachaBatchControlLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  serviceClass: [2, 3, "digits", "service class"],
  entryCount: [5, 6, "digits", "number of entries and addenda"],
  hash: [11, 10, "digits", "entry hash"],
  debit: [21, 12, "digits", "debit total"],
  credit: [33, 12, "digits", "credit total"],
  companyId: [45, 10, "text", "company identification"],
  authenticationCode: [55, 19, "text", "authentication code"],
  reserved: [74, 6, "blank", "reserved field"],
  odfi: [80, 8, "digits", "originating bank"],
  batchNumber: [88, 7, "digits", "batch number"],
});

export const adviceBatchControlLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  serviceClass: [2, 3, "digits", "service class"],
  entryCount: [5, 6, "digits", "number of entries and addenda"],
  hash: [11, 10, "digits", "entry hash"],
  debit: [21, 20, "digits", "debit total"],
  credit: [41, 20, "digits", "credit total"],
  operatorData: [61, 19, "text", "operator data"],
  odfi: [80, 8, "digits", "originating bank"],
  batchNumber: [88, 7, "digits", "batch number"],
});

export const nachaFileControlLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  batchCount: [2, 6, "digits", "number of batches"],
  blockCount: [8, 6, "digits", "number of blocks"],
  entryCount: [14, 8, "digits", "number of entries and addenda"],
  hash: [22, 10, "digits", "entry hash"],
  debit: [32, 12, "digits", "debit total"],
  credit: [44, 12, "digits", "credit total"],
  reserved: [56, 39, "blank", "reserved field"],
});

export const adviceFileControlLayout = fixedLayout(recordLength, {
  recordType: [1, 1, "digits", "record type"],
  batchCount: [2, 6, "digits", "number of batches"],
  blockCount: [8, 6, "digits", "number of blocks"],
  entryCount: [14, 8, "digits", "number of entries and addenda"],
  hash: [22, 10, "digits", "entry hash"],
  debit: [32, 20, "digits", "debit total"],
  credit: [52, 20, "digits", "credit total"],
  reserved: [72, 23, "blank", "reserved field"],
});
