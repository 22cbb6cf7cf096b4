// How messages quote what a file holds: short, printable, and never a whole account number.

const longest = 30;

/** Runs of digits may be account numbers in a broken file, so only their last three are shown. */
export function quoteField(text: string): string {
  if (text.trim() === "") return text === "" ? "empty" : "blank";
  const masked = text.trim().replace(/\d{5,}/g, (digits) => `…${digits.slice(-3)}`);
  const printable = masked.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return printable.length > longest ? `"${printable.slice(0, longest)}…"` : `"${printable}"`;
}

/** The end of an account number, which is enough to find it. */
export function quoteAccount(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return quoteField(text);
  const last = trimmed.slice(-3).replace(/[^ -~]/g, "?");
  return trimmed.length > 3 ? `"…${last}"` : `"${last}"`;
}
