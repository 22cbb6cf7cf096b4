// Actions and kinds of objects of the audit log as text.

import { auditTexts } from "../texts/audit.ts";

/** `payout.approve` is "Payout: approve". The log stores "person" where the console says user. */
export function actionText(action: string): string {
  const [noun = "", ...verb] = action.split(".");
  const text = `${noun === "person" ? "user" : noun}: ${verb.join(" ")}`.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function objectText(kind: string): string {
  const text = kind.replaceAll("_", " ");
  return text === "api key" ? auditTexts.apiKey : text.charAt(0).toUpperCase() + text.slice(1);
}
