// Which elements a message needs, and in which order. Only those that every version agrees on.

import type { XmlElement } from "../documents/index.ts";
import type { FileProblems } from "../report.ts";

type Child = { name: string; isRequired: boolean; isExpected: boolean; isRepeatable: boolean };
export type Shape = ReadonlyMap<string, Child & { index: number }>;

/**
 * Names in their order. "!" is required; "?" is required by the standard, and left out by real banks, which is a
 * warning; "*" may repeat. Names that are not listed may stand anywhere: versions differ in them.
 */
export function shape(children: string): Shape {
  return new Map(
    children.split(/\s+/).map((word, index) => {
      const [, name = "", marks = ""] = /^(\w+)(.*)$/.exec(word) ?? [];
      const isRequired = marks.includes("!");
      const isExpected = marks.includes("?");
      return [name, { name, index, isRequired, isExpected, isRepeatable: marks.includes("*") }];
    }),
  );
}

/** Follows the children of one element. */
export class ShapeCheck {
  readonly #shape: Shape;
  readonly #problems: FileProblems;
  readonly #seen = new Set<string>();
  #last = { name: "", index: -1 };

  /** Wrong order is a warning in answers of banks: their meaning does not depend on it. */
  readonly #order: "error" | "warning";

  constructor(expected: Shape, problems: FileProblems, order: "error" | "warning" = "error") {
    this.#shape = expected;
    this.#problems = problems;
    this.#order = order;
  }

  see({ name, line, column }: XmlElement): void {
    const child = this.#shape.get(name);
    if (!child) return;
    if (this.#seen.has(name) && !child.isRepeatable) {
      this.#problems.error(line, column, `expected one ${name}, found another`);
    } else if (child.index < this.#last.index) {
      const message = `expected ${name} before ${this.#last.name}, found it after`;
      this.#problems[this.#order](line, column, message);
    }
    this.#seen.add(name);
    if (child.index > this.#last.index) this.#last = child;
  }

  end({ name, line, column }: XmlElement): void {
    for (const child of this.#shape.values()) {
      if (this.#seen.has(child.name)) continue;
      const message = `expected ${child.name} in ${name}, found none`;
      if (child.isRequired) this.#problems.error(line, column, message);
      else if (child.isExpected) this.#problems.warning(line, column, message);
    }
  }
}

/** Checks an element that was read whole. */
export function checkShape(
  element: XmlElement,
  expected: Shape,
  problems: FileProblems,
  order: "error" | "warning" = "error",
): void {
  const check = new ShapeCheck(expected, problems, order);
  for (const child of element.children) check.see(child);
  check.end(element);
}
