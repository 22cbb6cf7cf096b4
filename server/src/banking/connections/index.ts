// What other nouns use of connections. The rest of this folder is private to it.

export { disableBank, putBank } from "./acts.ts";
export {
  type BankConnection,
  type BatchWindow,
  closedWindow,
  fileCountMax,
  fileTotalMax,
  openWindow,
  railIdOf,
  requireConnection,
  scheduleOf,
  settingsIdentity,
  sftpIdentity,
  successAtMs,
  toConnection,
} from "./connection.ts";
export { feeInWords, givenFeeOf } from "./connection-fee.ts";
export {
  type ConnectionRow,
  countFile,
  listConnections,
  lockConnection,
} from "./connection-queries.ts";
export { connectBanks } from "./connections.ts";
export { checkedMapping, csvMappingFor } from "./csv-mapping.ts";
export { mappingDecisions, saveMapping } from "./csv-mapping-decision.ts";
export { type CsvMappingRow, findCsvMapping } from "./csv-mapping-queries.ts";
export { CsvMappingFields } from "./csv-mapping-schema.ts";
export { describeConnection } from "./describe-connection.ts";
export type { BankFormat } from "./formats/bank-format.ts";
export { bankFormats } from "./formats/formats.ts";
export { describeFunding } from "./funding.ts";
export {
  approveConnectionRequest,
  askChangedBank,
  askEnabledBank,
  askNewBank,
  declineConnectionRequest,
  expireConnectionRequest,
  fieldsToReplace,
  storedFieldsOf,
} from "./request.ts";
export {
  type ConnectionRequest,
  fieldsIdentity,
  listConnectionRequests,
  updateSettingsHash,
} from "./request-queries.ts";
export { FundingInstructions } from "./schema.ts";
