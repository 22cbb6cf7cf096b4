// Text for the templates: words in other cases, and lines of a limited length.

/** receiverAccounts becomes receiver_accounts. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** receiver_accounts and receiverAccounts become ReceiverAccounts. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The text in lines that begin with `margin`, which are broken at spaces. */
export function wrap(text: string, margin: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && margin.length + line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => margin + line).join("\n");
}
