// A text in which the parts that were searched for are marked.

import { Fragment } from "react";
import styles from "./marked.module.css";

/** Each mark is the begin and the end of a part, in order. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly number[])[] }) {
  const parts: { text: string; isMarked: boolean; at: number }[] = [];
  let at = 0;
  for (const [begin = 0, end = 0] of marks) {
    parts.push({ text: text.slice(at, begin), isMarked: false, at });
    parts.push({ text: text.slice(begin, end), isMarked: true, at: begin });
    at = end;
  }
  parts.push({ text: text.slice(at), isMarked: false, at });
  return parts
    .filter((part) => part.text !== "")
    .map((part) =>
      part.isMarked ? (
        <mark key={part.at} className={styles.mark}>
          {part.text}
        </mark>
      ) : (
        <Fragment key={part.at}>{part.text}</Fragment>
      ),
    );
}
