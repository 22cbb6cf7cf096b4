// What a report may show: no secret, and no account number in full.

const charsMax = 400;

const cut = (text: string) => (text.length > charsMax ? `${text.slice(0, charsMax)} …` : text);

/** Whatever a server calls the field. The last four characters are enough to find it. */
const numberFields = /("account_?number"\s*:\s*)"?([^"\\,}]*)"?/gi;
const secrets = /\b(sk|whsec)_[\w+/=-]+/g;

const masked = (text: string) => `••••${text.length > 6 ? text.slice(-4) : ""}`;

/** A text in a report. `hidden`: texts that it must not show. */
export function maskedText(text: string, hidden: Iterable<string>): string {
  let shown = text
    .replace(numberFields, (_, name, value) => `${name}"${masked(value)}"`)
    .replace(secrets, (_, kind) => `${kind}_••••`);
  for (const one of hidden) shown = shown.replaceAll(one, "••••");
  return cut(shown);
}

/** A value of a response, at this place in it. */
export function shownValue(value: unknown, path: string): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return /account_?number$/i.test(path) ? masked(text.replaceAll('"', "")) : text;
}
