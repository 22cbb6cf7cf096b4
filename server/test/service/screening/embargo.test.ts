// Embargoed countries: the list that every installation has from the start.

import { afterAll, beforeAll, expect, test } from "vitest";
import { entryHash, tidyEntry } from "../../../src/people/list-files/list-entry.ts";
import { currentSetId, loadEntries } from "../../../src/people/screening/set-queries.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import { newDatabase } from "../../support/service.ts";

let db: Db;
beforeAll(async () => {
  ({ db } = await newDatabase());
});
afterAll(() => db.close());

test("a new database has the set 1: the three embargoed countries, each with its source and date", async () => {
  const setId = await currentSetId(db);
  expect(setId).toBe(1);
  const entries = await loadEntries(db, setId);
  expect(entries.map(({ list, key, kind, countries }) => ({ list, key, kind, countries }))).toEqual(
    ["CUB", "IRN", "PRK"].map((key) => ({
      list: "embargo",
      key,
      kind: "country",
      countries: [key],
    })),
  );
  for (const entry of entries) {
    expect(entry.hash).toBe(entryHash(tidyEntry(entry)));
    expect(entry.program).toMatch(/31 CFR part \d+/);
    expect(entry.remarks).toMatch(/^Since \d{4}-\d\d-\d\d$/);
  }
});
