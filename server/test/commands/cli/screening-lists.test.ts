// disburse screening import, lists, approve, decline and embargo.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveVersion } from "../../../src/people/sanctions-lists/decide.ts";
import { currentSetId, loadEntries } from "../../../src/people/screening/set-queries.ts";
import { meAs, operatorTest } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { ofacFiles, unFile, unPeople } from "../../support/list-files.ts";

const operator = await closeAfterTests(operatorTest());

function save(name: string, bytes: Uint8Array): string {
  const path = join(operator.folder, name);
  writeFileSync(path, bytes);
  return path;
}

const screening = (...words: string[]) => operator.run("screening", ...words);
const json = (...words: string[]) => operator.json("screening", ...words);
/** By a user of the console. */
const approve = (version: string) =>
  operator.db.transaction((tx) =>
    approveVersion(tx, version, { who: "operator:ben@example.com", atMs: Date.now() }),
  );

test("a list is imported from its files, shown, and replaced by two users when it has fewer entries", async () => {
  const paths = ofacFiles(
    Array.from({ length: 10 }, (_, index) => ({ key: index + 1, name: `FIRM ${index + 1}` })),
  ).map(({ name, bytes }) => save(name, bytes));
  const first = await json("import", "--list", "ofac-sdn", ...paths, "--by", "ann");
  expect(first).toMatchObject({
    outcome: "active",
    list: "ofac-sdn",
    entries: 10,
    names: 11,
    added: 10,
  });
  expect(first.imported_by).toBe(meAs("ann"));
  const again = await screening("import", "--list", "ofac-sdn", ...paths);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^outcome +unchanged$/m)]);

  const fewer = ofacFiles([{ key: 1, name: "FIRM 1" }]).map(({ name, bytes }) => save(name, bytes));
  const waiting = await json("import", "--list", "ofac-sdn", ...fewer, "--by", "ann");
  expect(waiting).toMatchObject({ outcome: "waiting", reason: "fewer entries", removed: 9 });
  for (const name of ["ann", "ben"]) {
    const own = await screening("approve", waiting.version, "--by", name);
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("CONS416")]);
  }
  const lists = await json("lists");
  expect(lists.filter((row: { list: string }) => row.list === "ofac-sdn")).toMatchObject([
    { status: "waiting" },
    { status: "active", entries: 10 },
  ]);
  expect(await approve(waiting.version)).toMatchObject({ status: "active", entries: 1 });
  const versions = await json("lists", "--versions");
  const ofOfac = versions.filter((row: { list: string }) => row.list === "ofac-sdn");
  expect(ofOfac.map((row: { status: string }) => row.status)).toEqual(["active", "replaced"]);
  const shown = await screening("lists");
  // Another test imports the list of the UN.
  expect(shown.stderr).toMatch(/^Never imported: ofac-consolidated, (un, )?dfat, eu, uk\n$/);
});

test("LIST101, LIST201: a broken file is refused by its place; an unknown version is not decided", async () => {
  const { bytes } = unFile(unPeople(2));
  const path = save("un.xml", bytes.subarray(0, bytes.length - 30));
  const broken = await screening("import", "--list", "un", path);
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringMatching(/LIST101.*un\.xml, line \d/s),
  ]);
  expect(broken.stderr).not.toContain("NUMBER1");
  const missing = await screening("import", "--list", "un", join(operator.folder, "none.xml"));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("(ENOENT)")]);
  expect((await screening("import", "--list", "nowhere", path)).code).toBe(2);
  const unknown = await screening("approve", "no-version");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("LIST201")]);
});

test("LIST203 to LIST207: a country is embargoed at once, and released by a second user", async () => {
  const embargoed = async () => {
    const entries = await loadEntries(operator.db, await currentSetId(operator.db));
    return entries.filter(({ list }) => list === "embargo").map(({ key }) => key);
  };
  const codeOf = async (...words: string[]) =>
    /[A-Z]{4}\d{3}/.exec((await screening("embargo", ...words)).stderr)?.[0];
  const source = ["--source", "Test Regulations 2026", "--since", "2026-11-01"];
  expect(await json("embargo", "list")).toMatchObject([
    { country: "CUB", name: "Cuba", since: "1963-07-08" },
    { country: "IRN" },
    { country: "PRK", source: "North Korea Sanctions Regulations, 31 CFR part 510" },
  ]);
  expect(await codeOf("add", "ATL", ...source)).toBe("LIST206");
  expect(await codeOf("add", "CUB", ...source)).toBe("LIST204");
  expect(await codeOf("remove", "SYR")).toBe("LIST205");
  expect((await screening("embargo", "add", "SYR", "--source", "x", "--since", "soon")).code).toBe(
    2,
  );

  const added = await json("embargo", "add", "syr", ...source, "--by", "ann");
  expect(added).toMatchObject({ outcome: "active", entries: 4, added: 1 });
  expect(await embargoed()).toEqual(["CUB", "IRN", "PRK", "SYR"]);
  const removed = await json("embargo", "remove", "SYR", "--by", "ann");
  expect(removed).toMatchObject({ outcome: "waiting", reason: "countries are removed" });
  expect(await embargoed()).toHaveLength(4);
  expect(await codeOf("remove", "CUB")).toBe("LIST203");
  await approve(removed.version);
  expect(await embargoed()).toEqual(["CUB", "IRN", "PRK"]);

  for (const country of ["CUB", "IRN"]) {
    const { version } = await json("embargo", "remove", country, "--by", "ann");
    await approve(version);
  }
  expect(await codeOf("remove", "PRK")).toBe("LIST207");
});

test("imports and decisions are in the audit log", async () => {
  const path = save("audited.xml", unFile(unPeople(9), "2026-11-20").bytes);
  await json("import", "--list", "un", path, "--by", "ann");
  const fewer = save("fewer.xml", unFile(unPeople(2), "2026-11-21").bytes);
  const { version } = await json("import", "--list", "un", fewer, "--by", "ann");
  await json("decline", version, "--by", "ben");
  const entries = await operator.json("audit", "list", "--object", version);
  expect(entries).toMatchObject([
    { who: meAs("ben"), action: "screening.decline", after: { status: "declined" } },
    {
      ...{ who: meAs("ann"), action: "screening.import" },
      after: { list: "un", entries: 2, removed: 7, status: "waiting" },
    },
  ]);
});
