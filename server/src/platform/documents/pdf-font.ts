// Lays out text by the width of each character, but for words written from right to left, whose letters join. The layout of OpenType, with kerning and ligatures, takes fifty times as
// long, and its cache keeps every word of a document.

import { hasRightToLeft, visualRuns } from "./pdf-text.ts";

type Glyph = { id: number; advanceWidth: number; codePoints: number[] };
type Position = Record<"xAdvance" | "yAdvance" | "xOffset" | "yOffset" | "advanceWidth", number>;
type TextLayout = { glyphs: Glyph[]; positions: Position[]; advanceWidth: number };

/** An embedded font of PDFKit. */
export type PdfFont = {
  /** A thousandth of the font size, in units of the font. */
  scale: number;
  font: {
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
  };
  layout(text: string, features?: object): TextLayout;
  widthOfString(text: string, size: number): number;
};

export function layoutByCharacter(embedded: PdfFont): void {
  const known = new Map<string, { glyph: Glyph; position: Position }>();
  const find = (char: string) => {
    const found = known.get(char);
    if (found) return found;
    const glyph = embedded.font.glyphForCodePoint(char.codePointAt(0) as number);
    const width = glyph.advanceWidth * embedded.scale;
    const position = { xAdvance: width, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: width };
    known.set(char, { glyph, position });
    return { glyph, position };
  };
  const layoutWord = embedded.layout.bind(embedded);
  embedded.layout = (text) => {
    const layout: TextLayout = { glyphs: [], positions: [], advanceWidth: 0 };
    if (hasRightToLeft(text)) {
      for (const run of visualRuns(text)) {
        // With features, even none, it is laid out as a whole and not word by word.
        const part = run.isRightToLeft ? layoutWord(run.text, {}) : embedded.layout(run.text);
        layout.glyphs.push(...part.glyphs);
        layout.positions.push(...part.positions);
        layout.advanceWidth += part.advanceWidth;
      }
      return layout;
    }
    for (const char of text) {
      const { glyph, position } = find(char);
      layout.glyphs.push(glyph);
      layout.positions.push(position);
      layout.advanceWidth += position.xAdvance;
    }
    return layout;
  };
  embedded.widthOfString = (text, size) => {
    if (hasRightToLeft(text)) return (embedded.layout(text).advanceWidth * size) / 1000;
    let width = 0;
    for (const char of text) width += find(char).position.xAdvance;
    return (width * size) / 1000;
  };
}
