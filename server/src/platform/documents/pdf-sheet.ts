// The pages of a PDF document with a table: places text on them and tags it, so that a screen reader can read the table.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import { layoutByCharacter, type PdfFont } from "./pdf-font.ts";
import { printable, wrapText } from "./pdf-text.ts";
import type { PdfColumn, TablePdf } from "./table.ts";

const fontFile = (name: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
let fontFiles: { normal: Buffer; strong: Buffer } | undefined;

/** In points: 72 are an inch. */
const margin = 40;
const titleSize = 14;
const leadSize = 24;
const textSize = 7.5;
const lineHeight = 10;
/** Of the facts in a document without a table. */
const largeSize = 10;
const cellPadding = 3;
const logoSize = { width: 150, height: 56 };
const labelWidth = 130;
const footerY = (height: number) => height - margin + 12;
const colors = { text: "#1a1a1a", line: "#d0d0d0", header: "#eeeeee" };

type Fonts = "normal" | "strong";
type Reference = PDFKit.PDFKitReference;
/** The parts of PDFKit that its types leave out. */
type Internals = {
  _font: PdfFont & {
    id: string;
    ref(): Reference;
    encode(text: string): [glyphs: string[], positions: unknown];
  };
  getStructParentTree(): { get(key: number): Reference[]; add(key: number, value: unknown): void };
};
type Page = PDFKit.PDFPage & { structParentTreeKey: number };
type Cell = { lines: readonly string[]; x: number; width: number; align: PdfColumn["align"] };

export class PdfSheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #columns: readonly (PdfColumn & { x: number; points: number })[];
  readonly #title: string;
  readonly #root: PDFKit.PDFStructureElement;
  readonly #table: PDFKit.PDFStructureElement | undefined;
  /** The number of pages, drawn by every page and written at the end, when it is known. */
  readonly #total: Reference;
  #body: PDFKit.PDFStructureElement | undefined;
  #y = margin;
  pages = 1;

  constructor({ title, columns, createdAtMs, landscape }: Omit<TablePdf, "rows">) {
    fontFiles ??= {
      normal: fontFile("DejaVuSansCondensed"),
      strong: fontFile("DejaVuSansCondensed-Bold"),
    };
    this.#doc = new PDFDocument({
      size: "A4",
      layout: landscape ? "landscape" : "portrait",
      margin,
      pdfVersion: "1.7",
      tagged: true,
      lang: "en",
      displayTitle: true,
      // No font at first: PDFKit would open it a second time, at each use of its name.
      font: "",
      info: {
        // PDFKit puts it into XML as it is.
        Title: title.replaceAll(/[<>&]/g, " "),
        Creator: "Disburse",
        Producer: "Disburse",
        CreationDate: new Date(createdAtMs),
      },
    });
    const doc = this.#doc;
    for (const name of ["normal", "strong"] as const) {
      doc.registerFont(name, fontFiles[name]).font(name);
      layoutByCharacter(this.#internals._font);
    }
    this.#title = this.#use("normal", textSize).printable(title);
    const width = doc.page.width - 2 * margin;
    const shares = columns.reduce((sum, column) => sum + column.width, 0);
    let x = margin;
    this.#columns = columns.map((column) => {
      const points = (width * column.width) / shares;
      const placed = { ...column, x, points };
      x += points;
      return placed;
    });
    this.#total = doc.ref({});
    this.#root = doc.struct("Document");
    if (columns.length > 0) this.#table = doc.struct("Table");
    doc.addStructure(this.#root);
  }

  begin({ title, lead, facts, logo }: Pick<TablePdf, "title" | "lead" | "facts" | "logo">): void {
    const width = this.#doc.page.width - 2 * margin;
    const headingWidth = logo ? width - logoSize.width - cellPadding : width;
    if (logo) this.#logo(logo);
    const heading = this.#use("strong", titleSize);
    const headingLines = wrapText(heading.printable(title), headingWidth, heading.widthOf);
    this.#tag(this.#root, "H1", () => {
      for (const line of headingLines) {
        this.#draw(line, margin, this.#y);
        this.#y += titleSize * 1.4;
      }
    });
    if (lead !== undefined) this.#lead(lead);
    this.#y = Math.max(this.#y + 4, logo ? margin + logoSize.height + 8 : 0);
    for (const [label, value] of facts) this.#fact(label, value, width - labelWidth);
    if (!this.#table) return;
    this.#y += 8;
    this.#root.add(this.#table);
    const head = this.#doc.struct("THead");
    this.#table.add(head);
    this.#header(head);
    head.end();
    this.#beginBody();
  }

  addRow(cells: readonly string[], { isStrong = false } = {}): void {
    const font: Fonts = isStrong ? "strong" : "normal";
    const placed = this.#place(font, cells);
    const height = heightOf(placed);
    if (this.#y + height > this.#bottom) {
      this.#endPage();
      this.#doc.addPage();
      this.pages += 1;
      this.#y = margin;
      this.#header();
      this.#beginBody();
    }
    this.#use(font, textSize);
    this.#tagRow(this.#body as PDFKit.PDFStructureElement, "TD", placed);
    this.#y += height;
    this.#artifact("Layout", () => {
      const right = this.#doc.page.width - margin;
      this.#doc.moveTo(margin, this.#y).lineTo(right, this.#y);
      this.#doc.lineWidth(0.4).stroke(colors.line);
    });
  }

  end(): void {
    this.#endPage();
    this.#table?.end();
    this.#root.end();
    this.#writeTotal();
    this.#doc.end();
  }

  /** The bytes that were written since the last call. */
  *takeBytes(): Generator<Uint8Array> {
    for (let chunk = this.#doc.read(); chunk !== null; chunk = this.#doc.read()) yield chunk;
  }

  get #bottom(): number {
    return this.#doc.page.height - margin;
  }

  get #internals(): Internals {
    return this.#doc as unknown as Internals;
  }

  #use(font: Fonts, size: number) {
    this.#doc.font(font, size).fillColor(colors.text);
    const { font: face } = this.#internals._font;
    return {
      printable: (text: string) => printable(text, (point) => face.hasGlyphForCodePoint(point)),
      widthOf: (text: string) => this.#doc.widthOfString(text),
    };
  }

  #draw(line: string, x: number, y: number): void {
    if (line !== "") this.#doc.text(line, x, y, { lineBreak: false });
  }

  #tag(parent: PDFKit.PDFStructureElement, type: string, draw: () => void): void {
    parent.add(this.#doc.struct(type, {}, [draw]));
  }

  /** Not part of the content: a screen reader leaves it out. */
  #artifact(type: "Layout" | "Pagination", draw: () => void): void {
    this.#doc.markContent("Artifact", { type });
    draw();
    this.#doc.endMarkedContent();
  }

  #logo({ bytes, name }: NonNullable<TablePdf["logo"]>): void {
    const { width, height } = logoSize;
    const x = this.#doc.page.width - margin - width;
    const draw = () => {
      this.#doc.image(Buffer.from(bytes), x, margin, { fit: [width, height], align: "right" });
    };
    const { printable: shown } = this.#use("normal", textSize);
    this.#root.add(this.#doc.struct("Figure", { alt: shown(name) }, [draw]));
  }

  #lead(text: string): void {
    const { printable: shown } = this.#use("strong", leadSize);
    this.#y += 6;
    this.#tag(this.#root, "P", () => this.#draw(shown(text), margin, this.#y));
    this.#y += leadSize * 1.6;
  }

  #fact(label: string, value: string, width: number): void {
    const [size, height] = this.#table ? [textSize, lineHeight] : [largeSize, largeSize * 1.6];
    const strong = this.#use("strong", size);
    const labelLine = strong.printable(label);
    const normal = this.#use("normal", size);
    const lines = wrapText(normal.printable(value), width, normal.widthOf);
    this.#tag(this.#root, "P", () => {
      this.#use("strong", size);
      this.#draw(`${labelLine} `, margin, this.#y);
      this.#use("normal", size);
      for (const line of lines) {
        this.#draw(line, margin + labelWidth, this.#y);
        this.#y += height;
      }
    });
    this.#y += 2;
  }

  /** On the first page it is the head of the table. On the others it repeats it, which is no content. */
  #header(head?: PDFKit.PDFStructureElement): void {
    const cells = this.#place(
      "strong",
      this.#columns.map(({ title }) => title),
    );
    const height = heightOf(cells);
    this.#artifact("Layout", () => {
      const width = this.#doc.page.width - 2 * margin;
      this.#doc.rect(margin, this.#y, width, height).fill(colors.header);
    });
    this.#use("strong", textSize);
    if (head) this.#tagRow(head, "TH", cells);
    else {
      this.#artifact("Pagination", () => {
        for (const cell of cells) this.#drawCell(cell);
      });
    }
    this.#y += height;
  }

  #beginBody(): void {
    // One for each page: it is written with the page, and nothing of it stays in memory.
    this.#body = this.#doc.struct("TBody");
    this.#table?.add(this.#body);
  }

  #place(font: Fonts, cells: readonly string[]): Cell[] {
    const { printable: shown, widthOf } = this.#use(font, textSize);
    const linesMax = Math.floor((this.#bottom - margin) / lineHeight) - 4;
    return this.#columns.map(({ x, points, align }, place) => {
      const width = points - 2 * cellPadding;
      const lines = wrapText(shown(cells[place] ?? ""), width, widthOf).slice(0, linesMax);
      return { lines, x: x + cellPadding, width, align };
    });
  }

  #tagRow(parent: PDFKit.PDFStructureElement, type: "TH" | "TD", cells: readonly Cell[]): void {
    const options = (type === "TH" ? { scope: "Column" } : {}) as object;
    const children = cells.map((cell) =>
      this.#doc.struct(type, options, [() => this.#drawCell(cell)]),
    );
    parent.add(this.#doc.struct("TR", {}, children));
  }

  #drawCell({ lines, x, width, align }: Cell): void {
    lines.forEach((line, number) => {
      const indent = align === "right" ? width - this.#doc.widthOfString(line) : 0;
      this.#draw(line, x + indent, this.#y + cellPadding + number * lineHeight);
    });
  }

  #endPage(): void {
    this.#body?.end();
    const { page } = this.#doc;
    const y = footerY(page.height);
    this.#artifact("Pagination", () => {
      const { widthOf } = this.#use("normal", textSize);
      const text = `Page ${this.pages} of `;
      // Room for the number of pages, which is not known yet.
      const x = page.width - margin - widthOf(`${text}0000`);
      const [title = ""] = wrapText(this.#title, x - 2 * margin, widthOf);
      this.#draw(title, margin, y);
      this.#draw(text, x, y);
      page.xobjects.Total = this.#total;
      const baseline = y + textSize * 0.95;
      this.#doc.addContent(`q 1 0 0 -1 ${x + widthOf(text)} ${baseline} cm /Total Do Q`);
    });
    // The tags of the page as an object of their own, so that they don't stay in memory.
    const tree = this.#internals.getStructParentTree();
    const key = (page as Page).structParentTreeKey;
    const tags = this.#doc.ref(tree.get(key));
    tags.end(undefined);
    tree.add(key, tags);
  }

  #writeTotal(): void {
    this.#use("normal", textSize);
    const font = this.#internals._font;
    const [glyphs] = font.encode(String(this.pages));
    Object.assign(this.#total.data, {
      Type: "XObject",
      Subtype: "Form",
      BBox: [0, -textSize, 60, textSize * 2],
      Resources: { Font: { [font.id]: font.ref() } },
    });
    this.#total.end(`BT /${font.id} ${textSize} Tf <${glyphs.join("")}> Tj ET`);
  }
}

function heightOf(cells: readonly Cell[]): number {
  const lines = Math.max(1, ...cells.map((cell) => cell.lines.length));
  return lines * lineHeight + 2 * cellPadding;
}
