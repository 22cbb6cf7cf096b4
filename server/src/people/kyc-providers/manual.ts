// The manual identity check: a user decides with `disburse receivers kyc`, and no service is called.

import { type LocalProvider, localApplicantId } from "./provider.ts";

export const manualProvider: LocalProvider = {
  name: "manual",
  applicantIdFor: localApplicantId,
  askAfterMs: undefined,
  askAgainMs: undefined,
  getStatus: async () => ({
    outcome: "pending",
    labels: [],
    publicComment: "",
    privateComment: "",
  }),
};
