// A text from the server whose `commands` are shown as code, without the backticks.

export function InlineCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // Between two backticks are the odd parts.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
