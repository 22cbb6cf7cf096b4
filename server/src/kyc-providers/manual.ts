// The identity check by an operator, who decides with `disburse receivers kyc`. Nobody is asked.

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
