// The paragraphs of a document, for the rule about their length.

/** Each item of a list is a paragraph of its own. Tables, headings, comments and code are none. */
export function paragraphsOf(page: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let isInFence = false;
  const end = () => {
    if (lines.length > 0) paragraphs.push(lines.join(" "));
    lines = [];
  };
  for (const line of page.split("\n")) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isInFence = !isInFence;
    const isNone = isFence || isInFence || /^\s*(?:\||#|<!--|$)/.test(line);
    const isCode = lines.length === 0 && /^ {4}/.test(line);
    if (isNone || /^\s*(?:[-*]|\d+\.) /.test(line)) end();
    if (!isNone && !isCode) lines.push(line.trim());
  }
  end();
  return paragraphs;
}
