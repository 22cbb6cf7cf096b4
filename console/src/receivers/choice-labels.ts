// The words for what a bank account can be.

import { receiversTexts } from "../texts/receivers.ts";

export const choiceLabels: Record<string, string> = {
  I: receiversTexts.individual,
  B: receiversTexts.business,
  checking: "Checking",
  savings: "Savings",
};
