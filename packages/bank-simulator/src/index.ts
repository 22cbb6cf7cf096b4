// The face of the package: what programs outside of it use.

export { answersTo } from "./answers.ts";
export { type BookingMode, bookingModes } from "./bookings.ts";
export { type DecidedFile, decideFile } from "./decision.ts";
export { type BankDeposit, type DepositFacts, writeDeposit } from "./deposit-file.ts";
export { type BankInstruction, type InstructionFile, instructedSum } from "./instruction-file.ts";
export { readInstructions } from "./recognise-file.ts";
export type { BankAnswer } from "./schedule.ts";
export { startSimulatorSftp } from "./sftp-server.ts";
export { BankSimulator, type SimulatorOptions } from "./simulator.ts";
export { accountStatements, type StatementFormat, statementFormats } from "./statements.ts";
