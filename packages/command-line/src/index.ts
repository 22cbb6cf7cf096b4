// What others use of this package.

export { isOfPackage, runCommandLine } from "./run.ts";
export { columnsMax, columnsMin, ownTerminal, type Terminal } from "./terminal.ts";
