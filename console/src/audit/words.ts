// Actions and kinds of objects of the audit log as text.

/** The log stores older words where the console says user. */
const stored: Record<string, string> = { person: "user", people: "users" };

/** `payout.approve` is "Payout: approve". */
export function actionText(action: string): string {
  const [noun = "", ...verb] = action.split(".");
  const text = `${stored[noun] ?? noun}: ${verb.join(" ")}`.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function objectText(kind: string): string {
  const text = (stored[kind] ?? kind).replaceAll("_", " ");
  return text === "api key" ? "API key" : text.charAt(0).toUpperCase() + text.slice(1);
}
