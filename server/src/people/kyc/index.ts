// What other nouns use of kyc. The rest of this folder is private to it.

export { applyReport, decideKyc, type KycOutcome, kycEventsOf, simulateKyc } from "./decide.ts";
export { type MakePersonLink, personLinkMaker } from "./person-link.ts";
export { findApplicant, listReports, type ReportRow } from "./queries.ts";
export { createPersonLink } from "./recorded-link.ts";
export { startKycWorker } from "./worker.ts";
