// Which ISO 20022 message a file holds: by its namespace, and by the element in its document.

import type { FormatName } from "../report.ts";

type MessageKind = "pain.001" | "pain.002" | "camt.052" | "camt.053" | "camt.054";

const kindsByElement: ReadonlyMap<string, MessageKind> = new Map([
  ["CstmrCdtTrfInitn", "pain.001"],
  ["CstmrPmtStsRpt", "pain.002"],
  ["BkToCstmrAcctRpt", "camt.052"],
  ["BkToCstmrStmt", "camt.053"],
  ["BkToCstmrDbtCdtNtfctn", "camt.054"],
]);
const kinds = new Set<string>(kindsByElement.values());

export type Message = {
  kind: MessageKind;
  /** With its version, such as pain.002.001.03; without, where the file names none. */
  name: FormatName;
};

export function kindOfElement(name: string): MessageKind | undefined {
  return kindsByElement.get(name);
}

export function elementOf(kind: MessageKind): string {
  const [element = ""] = [...kindsByElement].find(([, of]) => of === kind) ?? [];
  return element;
}

// The first tags are within this, even behind long comments.
const headLength = 64 * 1024;
const fullName = /\b((?:pain|camt)\.\d{3})\.\d{3}\.\d{2}(?!\d)/;

/** The message that a file begins as, broken or not; undefined for all other files. */
export function findMessage(text: string): Message | undefined {
  const head = withoutComments(text.slice(0, headLength));
  if (!/^\s*</.test(head)) return undefined;
  const tags = [...head.matchAll(/<(?:[\w.-]+:)?([\w.-]+)([^<>]*)/g)].slice(0, 200);
  const held = tags.map(([, name = ""]) => kindOfElement(name)).find((kind) => kind !== undefined);
  const names = namesIn(tags.map(([, , attributes = ""]) => attributes));
  const named =
    names.find(([, kind]) => kind === held) ?? names.find(([, kind]) => kinds.has(kind));
  if (held) return { kind: held, name: (named?.[1] === held ? named[0] : held) as FormatName };
  if (!named) return undefined;
  return { kind: named[1] as MessageKind, name: named[0] as FormatName };
}

/** Full names and their kinds, in the attributes of tags. */
function namesIn(attributes: string[]): [string, string][] {
  return attributes.flatMap((text) => {
    const [name, kind] = fullName.exec(text) ?? [];
    return name && kind ? [[name, kind] as [string, string]] : [];
  });
}

function withoutComments(head: string): string {
  let rest = "";
  let from = 0;
  for (;;) {
    const start = head.indexOf("<!--", from);
    if (start < 0) return rest + head.slice(from);
    rest += head.slice(from, start);
    const end = head.indexOf("-->", start + 4);
    if (end < 0) return rest;
    from = end + 3;
  }
}
