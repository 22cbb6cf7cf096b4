// Which files of a bank's folder are taken, by their names. Pure.

/** Programs give a file such an ending while they write it. */
const temporary = /\.(part|partial|filepart|tmp|temp|writing)$/i;
const longestName = 255;
const printable = /^[^\p{C}\p{Zl}\p{Zp}/]+$/u;

/** `patterns` as in the settings: separated by spaces, with * for any text. Undefined: all names. */
export function fileNameTest(patterns: string | undefined): (name: string) => boolean {
  const wanted = patterns?.toLowerCase().split(" ");
  return (name) => {
    if (name.startsWith(".") || temporary.test(name)) return false;
    if (name.length > longestName || !printable.test(name)) return false;
    return wanted === undefined || wanted.some((pattern) => fits(name.toLowerCase(), pattern));
  };
}

/** Without a regular expression: with many stars, one would take too long for some names. */
function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return name.length - position >= last.length && name.endsWith(last);
}
