// Shapes of request bodies: the field names, and which of their values are kept. Most bodies share a few shapes, so a
// shape is stored once, and a row holds its number and the kept values.

import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { keepShape } from "./queries.ts";

type Shapes = {
  /** Undefined: the shape is still rare, or there are too many shapes. */
  numberOf(shape: string): number | undefined;
  /** Resolves when no query is running. */
  close(): Promise<void>;
};

type ShapesParts = { db: Db; onError(error: unknown): void };

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
    const storing = keepShape(db, shape)
      .then((number) => {
        found.number = number;
      })
      .catch((error) => {
        // Starts counting again, and then tries again.
        found.uses = 0;
        onError(error);
      })
      .finally(() => asking.delete(storing));
    asking.add(storing);
  }

  return {
    numberOf,
    async close() {
      await Promise.all(asking);
    },
  };
}
