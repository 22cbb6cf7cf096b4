// Reads XML as a stream of elements: containers are announced, everything below them is handed over whole and dropped.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { FileProblems } from "./file-problems.ts";
import type { XmlElement } from "./xml-elements.ts";

/**
 * "open" and "close" stand around what a container holds; "element" is a whole child of a container. `parent` is the
 * name of the container around it, empty for the root.
 */
export type XmlEvent = { type: "open" | "element" | "close"; element: XmlElement; parent: string };

/** Bank messages and sanctions lists stay far below each of these. They bound what a hostile file can make us keep. */
export const xmlLimits = {
  characters: 256 * 1024 * 1024,
  depth: 48,
  /** Within one element that is handed over whole. */
  elements: 20_000,
};

const portion = 64 * 1024;

type OpenElement = { element: XmlElement; isContainer: boolean };

/** Stops at the first thing that is not well-formed: whatever follows would be guesswork. */
export function* readXml(
  text: string,
  isContainer: (name: string) => boolean,
  problems: FileProblems,
): Generator<XmlEvent, void, void> {
  if (text.length > xmlLimits.characters) {
    problems.error(0, 0, `the file has more than ${xmlLimits.characters} characters`);
    return;
  }
  const reader = new XmlReader(text, isContainer, problems);
  for (let start = 0; start < text.length && !reader.isBroken; start += portion) {
    yield* reader.read(text.slice(start, start + portion));
  }
  if (!reader.isBroken) yield* reader.end();
}

class XmlReader {
  isBroken = false;
  readonly #text: string;
  readonly #isContainer: (name: string) => boolean;
  readonly #problems: FileProblems;
  readonly #parser = new SaxesParser();
  readonly #open: OpenElement[] = [];
  #events: XmlEvent[] = [];
  #elements = 0;
  #place = { line: 1, column: 1 };

  constructor(text: string, isContainer: (name: string) => boolean, problems: FileProblems) {
    this.#text = text;
    this.#isContainer = isContainer;
    this.#problems = problems;
    const parser = this.#parser;
    parser.on("error", ({ message }) => this.#fail(this.#here(), toReason(message)));
    parser.on("doctype", () =>
      this.#fail(this.#here(), "a document type (DOCTYPE) is not allowed"),
    );
    parser.on("opentagstart", ({ name }) => this.#notePlace(name));
    parser.on("opentag", (tag) => this.#openElement(tag));
    parser.on("closetag", () => this.#closeElement());
    parser.on("text", (part) => this.#addText(part));
    parser.on("cdata", (part) => this.#addText(part));
  }

  read(part: string): XmlEvent[] {
    this.#parser.write(part);
    return this.#takeEvents();
  }

  end(): XmlEvent[] {
    this.#parser.close();
    return this.#takeEvents();
  }

  #takeEvents(): XmlEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #here() {
    return { line: this.#parser.line, column: this.#parser.columnIndex + 1 };
  }

  #fail({ line, column }: { line: number; column: number }, message: string): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.#problems.error(line, column, message);
  }

  /** The parser stands behind the character that follows the name. */
  #notePlace(name: string): void {
    const { line, columnIndex, position } = this.#parser;
    const column = columnIndex - name.length - 1;
    if (column > 0) {
      this.#place = { line, column };
      return;
    }
    // That character was a line break, so the tag began on the line before.
    const start = position - name.length - 2;
    const lineStart = this.#text.lastIndexOf("\n", start) + 1;
    this.#place = { line: line - 1, column: Math.max(1, start - lineStart + 1) };
  }

  #openElement({ name: tagName, attributes }: SaxesTagPlain): void {
    if (this.isBroken) return;
    const place = this.#place;
    const open = this.#open;
    const name = withoutPrefix(tagName);
    const parent = open.at(-1);
    const isContainer = (parent?.isContainer ?? true) && this.#isContainer(name);
    const element = { name, text: "", attributes: toMap(attributes), children: [], ...place };
    if (open.length >= xmlLimits.depth) {
      this.#fail(place, `elements are nested more than ${xmlLimits.depth} deep`);
      return;
    }
    if (parent && !parent.isContainer) {
      parent.element.children.push(element);
      this.#elements += 1;
      if (this.#elements > xmlLimits.elements) {
        this.#fail(place, `one record has more than ${xmlLimits.elements} elements`);
      }
    } else {
      this.#elements = 0;
    }
    open.push({ element, isContainer });
    if (isContainer) this.#announce("open", element, parent);
  }

  #closeElement(): void {
    if (this.isBroken) return;
    const closed = this.#open.pop();
    if (!closed) return;
    const { element, isContainer } = closed;
    element.text = element.text.trim();
    const parent = this.#open.at(-1);
    if (isContainer) {
      if (element.text !== "") {
        const message = `${element.name} holds text between its elements; expected elements only`;
        this.#problems.error(element.line, element.column, message);
      }
      this.#announce("close", element, parent);
    } else if (parent?.isContainer ?? true) {
      this.#announce("element", element, parent);
    }
  }

  #announce(type: XmlEvent["type"], element: XmlElement, parent: OpenElement | undefined): void {
    this.#events.push({ type, element, parent: parent?.element.name ?? "" });
  }

  #addText(part: string): void {
    const current = this.#open.at(-1);
    if (!current || this.isBroken) return;
    // A container may hold a hundred thousand children with space between them, which is not kept.
    current.element.text += current.isContainer ? part.trim() : part;
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

const noAttributes: ReadonlyMap<string, string> = new Map();

function toMap(attributes: Record<string, string>): ReadonlyMap<string, string> {
  const names = Object.keys(attributes);
  if (names.length === 0) return noAttributes;
  return new Map(names.map((name) => [withoutPrefix(name), attributes[name] ?? ""]));
}

/** The parser's message, unless it repeats the content of the file, which may be an account number. */
function toReason(message: string): string {
  const reason = message.replace(/^(?:[^:]*:)?\d+:\d+: /, "").replace(/\.$/, "");
  if (/entity/.test(reason)) {
    return "expected one of the five predefined entities or a character number, found another entity";
  }
  if (/^un(closed|expected end)/.test(reason)) {
    return "the XML is not well-formed: the file ends before all elements are closed";
  }
  if (/tag/.test(reason)) return "the XML is not well-formed: opening and closing tags don't match";
  return /^[a-z ]+$/.test(reason)
    ? `the XML is not well-formed: ${reason}`
    : "the XML is not well-formed";
}
