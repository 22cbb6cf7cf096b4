// What others use of this package.

export { isOfPackage, runCommandLine } from "./run.ts";
