// XML elements: what was read, with its place, and how a part of it is found.

export type XmlElement = {
  /** Without a namespace prefix. */
  name: string;
  /** Its own text, without space at the ends. */
  text: string;
  /** By name without a prefix, as written. */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  line: number;
  column: number;
};

const names = new Map<string, readonly string[]>();

/** The names of a path. All paths are our own, so few are kept. */
export function pathNames(path: string): readonly string[] {
  let found = names.get(path);
  if (!found) {
    found = path.split("/");
    names.set(path, found);
  }
  return found;
}

/** The first element at a path of names such as "Rsn/Cd". */
export function findElement(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of pathNames(path)) {
    found = childOf(found, name);
    if (!found) return undefined;
  }
  return found;
}

function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text at the first of the paths that exists; empty where none does. */
export function textAt(element: XmlElement | undefined, ...paths: string[]): string {
  if (!element) return "";
  for (const path of paths) {
    const found = findElement(element, path);
    if (found) return found.text;
  }
  return "";
}

/** Every element of a name below this one, at any depth. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement, void, void> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* descendants(child, name);
  }
}
