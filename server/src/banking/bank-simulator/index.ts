// What other nouns use of bank-simulator. The rest of this folder is private to it.

export { type BookingMode, bookingModes } from "./bookings.ts";
export type { DecidedFile } from "./decision.ts";
export { type BankDeposit, type DepositFacts, writeDeposit } from "./deposit-file.ts";
export { instructedSum } from "./instruction-file.ts";
export { startSimulatorSftp } from "./sftp-server.ts";
export { BankSimulator } from "./simulator.ts";
export { type StatementFormat, statementFormats } from "./statements.ts";
