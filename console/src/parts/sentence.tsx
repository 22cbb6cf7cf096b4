// A text with parts in it, such as links. `{name}` is the place of a part.

import { Fragment, type ReactNode } from "react";

export function Sentence({ text, parts }: { text: string; parts: Record<string, ReactNode> }) {
  return text.split(/\{(\w+)\}/).map((piece, index) =>
    // Between two braces are the odd pieces.
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
    index % 2 === 1 ? <Fragment key={index}>{parts[piece]}</Fragment> : piece,
  );
}
