// A small reader of XML messages: elements, texts and attributes. It takes no document types and no entities of a file's own.

export type XmlNode = {
  /** Without a prefix. */
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  text: string;
};

/** Why a text is no XML that we read. */
export class XmlRefusal extends Error {}

const piece =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const known = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

export function readXmlTree(text: string): XmlNode {
  const top: XmlNode = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  piece.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (piece.lastIndex < text.length) {
    const start = piece.lastIndex;
    const match = piece.exec(text);
    if (!match) throw new XmlRefusal(`the XML can't be read after character ${start}`);
    const [, data, slash, name, attributes = "", end, words] = match;
    const current = open.at(-1) as XmlNode;
    if (data !== undefined) current.text += data;
    else if (words !== undefined) current.text += decode(words);
    else if (name !== undefined && slash === "/") {
      if (open.length < 2 || current.name !== localName(name)) {
        throw new XmlRefusal(`the element at character ${start} ends another than the open one`);
      }
      open.pop();
    } else if (name !== undefined) {
      const node = { name: localName(name), attributes: read(attributes), children: [], text: "" };
      current.children.push(node);
      if (end !== "/") open.push(node);
    }
  }
  const [root, ...others] = top.children;
  if (open.length > 1) throw new XmlRefusal("the XML ends within an element");
  if (!root || others.length > 0 || top.text.trim() !== "") {
    throw new XmlRefusal("the XML has not exactly one root element");
  }
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function read(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(attribute)) {
    found[name] = decode(double ?? single ?? "");
  }
  return found;
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w+)?;?/g, (whole, name = "") => {
    const number = name.startsWith("#x") ? Number(`0${name.slice(1)}`) : Number(name.slice(1));
    if (whole.endsWith(";") && name.startsWith("#") && number <= 0x10ffff) {
      return String.fromCodePoint(number);
    }
    const plain = whole.endsWith(";") ? known.get(name) : undefined;
    if (plain === undefined) throw new XmlRefusal("an entity of the XML is unknown");
    return plain;
  });
}

/** The elements at a path such as `PmtId/EndToEndId`. */
export function nodesAt(node: XmlNode, path: string): XmlNode[] {
  return path
    .split("/")
    .reduce<XmlNode[]>(
      (nodes, name) =>
        nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [node],
    );
}

/** The text of the first element at a path; empty where there is none. */
export function valueAt(node: XmlNode, path: string): string {
  return nodesAt(node, path)[0]?.text.trim() ?? "";
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** An element with escaped text; nothing for an empty text. */
export function element(name: string, text: string): string {
  if (text === "") return "";
  return `<${name}>${text.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? "")}</${name}>`;
}
