// Walks through a publisher's XML file: its root and the elements in it, each handed over whole.

import {
  FileProblems,
  readXml,
  type XmlElement,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import { decodeText, type ListFile, type ListProblems } from "./list-file.ts";

type XmlLayout = {
  root: string;
  /** Elements that hold entries, below the root. */
  containers?: readonly string[];
  onRoot?(root: XmlElement): void;
  onElement(element: XmlElement, file: string): void;
};

/** These lists are one file each. */
export function readXmlList(
  files: readonly ListFile[],
  problems: ListProblems,
  layout: XmlLayout,
): void {
  const [file, second] = files;
  if (second) problems.error(second.name, { line: 0, column: 0 }, "this list is one file");
  const text = file && decodeText(file.bytes);
  if (!file || text === undefined) {
    problems.error(file?.name ?? "", { line: 0, column: 0 }, "the file is not text in UTF-8");
    return;
  }
  const found = new FileProblems();
  const containers = new Set([layout.root, ...(layout.containers ?? [])]);
  let hasRoot = false;
  const bare = text.replace(/^\uFEFF/, "");
  for (const { type, element, parent } of readXml(bare, (name) => containers.has(name), found)) {
    if (parent === "") {
      if (element.name !== layout.root && !hasRoot) {
        found.error(element.line, element.column, `expected the root element ${layout.root}`);
        break;
      }
      if (type === "open") layout.onRoot?.(element);
      hasRoot = true;
    } else if (type === "element") layout.onElement(element, file.name);
  }
  if (!hasRoot && found.all.length === 0)
    found.error(0, 0, `expected the root element ${layout.root}`);
  problems.addAll(file.name, found);
}
