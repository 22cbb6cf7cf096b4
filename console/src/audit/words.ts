// What was done and to what, as people read it.

/** `payout.approve` is "Payout: approve". */
export function actionText(action: string): string {
  const [noun = "", ...verb] = action.split(".");
  const text = `${noun}: ${verb.join(" ")}`.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function objectText(kind: string): string {
  const text = kind.replaceAll("_", " ");
  return text === "api key" ? "API key" : text.charAt(0).toUpperCase() + text.slice(1);
}
