// The samples in the documents are real responses of the service.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import openapi from "../../../../openapi.json" with { type: "json" };
import { withSamples } from "../../../src/doors/app/samples/page.ts";
import { recordSamples } from "../../../src/doors/app/samples/record.ts";
import { readSamples } from "../../../src/doors/app/samples/sample.ts";
import { newDatabase } from "../../support/service.ts";

test("the service's responses equal the samples in the repository (npm run generate writes them)", async () => {
  const { db, seal } = await newDatabase();
  try {
    const recorded = { api: readSamples(), operator: readSamples("operator") };
    expect(await recordSamples({ db, seal })).toEqual(recorded);
  } finally {
    await db.close();
  }
});

test("no sample shows a day that depends on when it was recorded", () => {
  const days = JSON.stringify(readSamples()).match(/(?<!\d)20\d\d-\d\d-\d\d(?![\dT])/g);
  // A week before the story, its own day, a week after, and the end of the legal period.
  expect([...new Set(days)].sort()).toEqual([
    "2026-01-08",
    "2026-01-15",
    "2026-01-22",
    "2033-01-16",
  ]);
});

test("docs/api/interface.md shows the samples unchanged", () => {
  const page = readFileSync(
    join(import.meta.dirname, "..", "..", "..", "..", "docs", "api", "interface.md"),
    "utf8",
  );
  expect(withSamples(page, readSamples())).toBe(page);
});

test("every operation of openapi.json has a successful sample as its example", () => {
  const samples = readSamples();
  for (const methods of Object.values(openapi.paths)) {
    for (const { operationId, responses } of Object.values(methods)) {
      const own = samples.filter((one) => one.operationId === operationId && one.status === 200);
      expect(own.length, operationId).toBeGreaterThan(0);
      // A document is no text that a page could show.
      const texts = Object.entries((responses as Responses)[200].content).filter(
        ([type]) => type !== "application/pdf",
      );
      expect(texts.filter(([, { examples }]) => !examples)).toEqual([]);
    }
  }
});

type Responses = { 200: { content: Record<string, { examples?: object }> } };
