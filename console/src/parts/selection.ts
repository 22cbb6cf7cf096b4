// The rows of a list that a user has selected, also on other pages of it.

import { useState } from "react";

/** As many as one request acts on. */
export const selectedMax = 100;

export type Selection<Row> = {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  isFull: boolean;
  /** Selects these, up to the limit, or takes them out. */
  set: (rows: readonly Row[], isSelected: boolean) => void;
  clear: () => void;
};

/** `listKey` names the list as it is filtered: another list starts without a selection. */
export function useSelection<Row>(keyOf: (row: Row) => string, listKey: string): Selection<Row> {
  const [state, setState] = useState({ listKey, chosen: new Map<string, Row>() });
  const chosen = state.listKey === listKey ? state.chosen : new Map<string, Row>();
  return {
    rows: [...chosen.values()],
    has: (row) => chosen.has(keyOf(row)),
    isFull: chosen.size >= selectedMax,
    set(rows, isSelected) {
      const after = new Map(chosen);
      for (const row of rows) {
        if (!isSelected) after.delete(keyOf(row));
        else if (after.size < selectedMax) after.set(keyOf(row), row);
      }
      setState({ listKey, chosen: after });
    },
    clear: () => setState({ listKey, chosen: new Map() }),
  };
}
