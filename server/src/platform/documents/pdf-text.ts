// Text for PDF documents: characters that the font can't show, and lines that fit a column. Pure.

import anyAscii from "any-ascii";

const plain = /^[\x20-\x7e]*$/;
/** The scripts written from right to left that are drawn so. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Others would come out reversed. */
const reversed = /[\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const invisible = /[\p{M}\p{Cf}]/u;

/**
 * The text with the characters of the font only. Others are transliterated: a reader gets "Li Ming" instead of two empty
 * boxes.
 */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const oneLine = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
  if (plain.test(oneLine)) return oneLine;
  const shown = (char: string) => {
    if (hasGlyph(char.codePointAt(0) as number) && !reversed.test(char)) return char;
    return anyAscii(char) || (invisible.test(char) ? "" : "?");
  };
  return Array.from(oneLine.normalize("NFC"), shown).join("");
}

export type TextRun = { text: string; isRightToLeft: boolean };

const leftToRight = /[\p{L}\p{Nd}]/u;
const mirrored: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[" };

/**
 * The parts of a line in the order in which they stand from left to right. A line that begins with a word written from right to
 * left is read from there.
 */
export function visualRuns(line: string): TextRun[] {
  const runs: TextRun[] = [];
  const chars = Array.from(line, (char) => ({ char, isRightToLeft: directionOf(char) }));
  const isBase = chars.find(({ isRightToLeft }) => isRightToLeft !== undefined)?.isRightToLeft;
  for (const [place, { char, isRightToLeft: own }] of chars.entries()) {
    const after = chars.slice(place).find(({ isRightToLeft }) => isRightToLeft !== undefined);
    const before = runs.at(-1);
    // What has no direction, as a space, goes with the words around it.
    const isSame = before && before.isRightToLeft === (after?.isRightToLeft ?? isBase);
    const isRightToLeft = own ?? (isSame ? before.isRightToLeft : isBase) ?? false;
    const text = isRightToLeft ? (mirrored[char] ?? char) : char;
    if (before?.isRightToLeft === isRightToLeft) before.text += text;
    else runs.push({ text, isRightToLeft });
  }
  return isBase ? runs.reverse() : runs;
}

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** Undefined: as the characters around it. */
function directionOf(char: string): boolean | undefined {
  if (rightToLeft.test(char)) return true;
  return leftToRight.test(char) ? false : undefined;
}

/** The lines of a text in a column. They end at spaces, and inside a word that is wider than the column. */
export function wrapText(
  text: string,
  width: number,
  widthOf: (text: string) => number,
): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = cutWord(word, width, widthOf);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) as string;
  }
  return line === "" ? lines : [...lines, line];
}

function cutWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const char of word) {
    if (piece !== "" && widthOf(piece + char) > width) {
      pieces.push(piece);
      piece = char;
    } else piece += char;
  }
  return [...pieces, piece];
}
