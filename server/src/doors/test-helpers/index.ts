// What other nouns use of test-helpers. The rest of this folder is private to it.

export { findSampleState } from "./sample-queries.ts";
export { addSampleData, removeSampleData } from "./samples.ts";
export { TestFunded, TestFunding, TestStatus, TestStatusSet } from "./schema.ts";
export { setTestStatus } from "./set-status.ts";
export { simulateOutcomeAct } from "./simulate.ts";
