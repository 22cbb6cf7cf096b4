// Writes the fields of a layout as XML: fields whose paths begin alike share their elements.

import { pathNames } from "../documents/index.ts";
import type { XmlLayout } from "./pain-001-layout.ts";

/** The value, or one with attributes such as ` Ccy="EUR"`. Empty values are left out. */
type FieldValue = string | { text: string; attributes: string };

/** One line for each element at the top, in the order of the layout. */
export function writeXmlFields<Name extends string>(
  layout: XmlLayout<Name>,
  values: Partial<Record<NoInfer<Name>, FieldValue>>,
  indent: string,
): string {
  let xml = "";
  // Names of the elements that are open; the last of a path is its own field.
  let open: readonly string[] = [];
  let depth = 0;
  for (const name in layout) {
    const value = values[name];
    if (value === undefined || value === "") continue;
    const { path, isRepeatable } = layout[name];
    const names = pathNames(path);
    const parents = names.length - 1;
    let shared = 0;
    while (shared < depth && shared < parents && open[shared] === names[shared]) shared += 1;
    xml += closingTags(open, depth, shared);
    if (shared === 0) xml += xml === "" ? indent : `\n${indent}`;
    for (let index = shared; index < parents; index += 1) xml += `<${names[index]}>`;
    open = names;
    depth = parents;
    xml += writeLeaf(names[parents] ?? "", value, isRepeatable);
  }
  return `${xml}${closingTags(open, depth, 0)}\n`;
}

function closingTags(open: readonly string[], depth: number, shared: number): string {
  let xml = "";
  for (let index = depth - 1; index >= shared; index -= 1) xml += `</${open[index]}>`;
  return xml;
}

function writeLeaf(name: string, value: FieldValue, isRepeatable: true | undefined): string {
  const isPlain = typeof value === "string";
  const text = isPlain ? value : value.text;
  const attributes = isPlain ? "" : value.attributes;
  if (isRepeatable && text.includes("\n")) {
    return text
      .split("\n")
      .map((part) => writeLeaf(name, part, undefined))
      .join("");
  }
  return `<${name}${attributes}>${escapeXml(text)}</${name}>`;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const toEscape = /[&<>]/;

function escapeXml(text: string): string {
  if (!toEscape.test(text)) return text;
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}
