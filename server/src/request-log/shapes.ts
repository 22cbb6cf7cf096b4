// Bodies of one kind have the same fields, again and again. A shape is what is alike in them: the names of the fields,
// and which of their values are kept. It is written down once, and a row has its number and those values.

import type { Db } from "../db/connect.ts";
import { limits } from "../limits.ts";
import { keepShape } from "./queries.ts";

export type Shapes = {
  /** Undefined while it has no number: before it came often, and where there are too many of them. */
  numberOf(shape: string): number | undefined;
  /** Resolves when no question to the database is under way. */
  close(): Promise<void>;
};

export type ShapesParts = { db: Db; onError(error: unknown): void };

type Known = { uses: number; number: number | undefined };

export function keepShapes({ db, onError }: ShapesParts): Shapes {
  const known = new Map<string, Known>();
  const asking = new Set<Promise<void>>();

  function numberOf(shape: string): number | undefined {
    const found = known.get(shape);
    if (found === undefined) {
      if (known.size < limits.requestShapesMax) known.set(shape, { uses: 1, number: undefined });
      return undefined;
    }
    found.uses += 1;
    if (found.uses === limits.requestShapeUses) ask(shape, found);
    return found.number;
  }

  function ask(shape: string, found: Known): void {
    const asked = keepShape(db, shape)
      .then((number) => {
        found.number = number;
      })
      .catch((error) => {
        // Counted anew, and then asked for again.
        found.uses = 0;
        onError(error);
      })
      .finally(() => asking.delete(asked));
    asking.add(asked);
  }

  return {
    numberOf,
    async close() {
      await Promise.all(asking);
    },
  };
}
