// The rules of the documents: pages made from code are up to date, links lead somewhere, and paragraphs are short.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { addedPromises, basePromises } from "../../../packages/conformance/src/index.ts";
import { metricTable } from "../../src/platform/metrics/metric-table.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { promiseTables } from "./promise-tables.ts";
import {
  kitFields,
  metricRows,
  operationTables,
  settingTable,
  withPart,
} from "./reference-pages.ts";
import { files, read, root } from "./tracked-files.ts";
import { triedResults, withTriedTables } from "./tried-page.ts";

const documents = files.filter((name) => name.endsWith(".md"));

test.each([
  ["settings", settingTable],
  ["metrics", metricRows],
  ["operations", () => operationTables(JSON.parse(read("openapi.json")))],
])("docs/reference/%s.md is up to date", (name, part) => {
  const page = read(`docs/reference/${name}.md`);
  expect(withPart(page, name, part())).toBe(page);
});

test("docs/api/conformance.md lists every promise", () => {
  const page = read("docs/api/conformance.md");
  expect(withPart(page, "promises", promiseTables())).toBe(page);
});

test("the conformance kit knows the fields of our resources as openapi.json has them", () => {
  const wanted = kitFields(JSON.parse(read("openapi.json")));
  expect(read("packages/conformance/src/our-fields.ts")).toBe(wanted);
});

test("docs/api/interface.md has every section of the promises", () => {
  const page = read("docs/api/interface.md");
  const table = page.slice(0, page.indexOf("## Every call"));
  for (const { section } of [...basePromises, ...addedPromises]) {
    const isPart = /^\d/.test(section) || section === "Envelope";
    if (isPart) expect(table).toMatch(new RegExp(`^\\| ${section.replace(".", "\\.")} `, "m"));
    else expect(page).toMatch(new RegExp(`^## ${section}( \\(gap\\))?$`, "m"));
  }
});

test("docs/operate/tried.md has the stored results", () => {
  const page = read("docs/operate/tried.md");
  expect(withTriedTables(page, triedResults(files, read), withPart)).toBe(page);
});

test("the documents name no metric that does not exist", () => {
  const pages = documents.filter((name) => /^docs\/(operate|reference)\//.test(name));
  for (const file of pages) {
    for (const [named] of read(file).matchAll(/\b(disburse|nodejs|process)_[a-z0-9_]+/g)) {
      expect(Object.keys(metricTable), file).toContain(named.replace(/_(bucket|sum|count)$/, ""));
    }
  }
});

test("the README has at most 150 lines", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("no paragraph of the README and of docs/ has over 80 words", () => {
  const long = documents
    .filter((file) => file === "README.md" || file.startsWith("docs/"))
    .flatMap((file) => paragraphsOf(read(file)).map((text) => ({ file, text })))
    .filter(({ text }) => text.split(/\s+/).length > 80)
    .map(({ file, text }) => `${file}: ${text.slice(0, 80)}`);
  expect(long).toEqual([]);
});

/** A document without its code. */
const prose = (file: string) =>
  read(file)
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/^ {4}.*$/gm, "");

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const headings = [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, "")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link in the documents points to a file, and to a heading of it", () => {
  const broken: string[] = [];
  for (const file of documents) {
    for (const [, path = "", anchor] of prose(file).matchAll(
      /\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const target = path ? join(dirname(file), path) : file;
      if (!existsSync(join(root, target))) broken.push(`${file}: ${path}`);
      else if (anchor && target.endsWith(".md") && !anchorsOf(target).includes(anchor))
        broken.push(`${file}: ${path}#${anchor}`);
    }
  }
  expect(broken).toEqual([]);
});
