// The migrated database of a run, from which each test file clones its own.

export const templateName = "disburse_template";
