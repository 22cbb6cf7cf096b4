// The rules of the wings: a file imports its own noun or lower ones, and lower ones only through their face. Below all wings
// are the packages, which import nothing of the service.

import { expect, test } from "vitest";
import { faceOf, facesOf, importsOf, nounOf, packages, sources } from "./server-files.ts";
import { files, read } from "./tracked-files.ts";
import { nouns, nounTable, wingPicture } from "./wings.ts";

const rankOf = (file: string) => nouns.indexOf(nounOf(file));
const importsInServer = (file: string) =>
  importsOf(file).filter((imported) => imported.startsWith("server/"));
const importsElsewhere = (file: string) =>
  importsOf(file).filter((imported) => !imported.startsWith("server/"));

test("every folder of the server is a noun in one of seven wings, and no file is beside them", () => {
  expect([...new Set(sources.map(nounOf))].sort()).toEqual([...nouns].sort());
  expect(new Set(nouns.map((noun) => noun.split("/")[0])).size).toBe(7);
  expect(sources.filter((file) => file.split("/").length < 5)).toEqual([]);
});

// The wings are in the order of their nouns, so no wing imports one above it either.
test("every file imports its own noun or lower", () => {
  const upward = sources.flatMap((file) =>
    importsInServer(file)
      .filter((imported) => rankOf(imported) < rankOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(upward).toEqual([]);
});

test("every import of another noun goes through its face", () => {
  const around = sources.flatMap((file) =>
    importsInServer(file)
      .filter((imported) => nounOf(imported) !== nounOf(file))
      .filter((imported) => imported !== faceOf(nounOf(imported)))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(around).toEqual([]);
  const through = sources.filter((file) => importsInServer(file).includes(faceOf(nounOf(file))));
  expect(through).toEqual([]);
});

test("outside of its wings the server imports the faces of packages, and its commands the client", () => {
  const faces = packages.flatMap(facesOf);
  expect(faces.filter((face) => !files.includes(face))).toEqual([]);
  const around = sources.flatMap((file) =>
    importsElsewhere(file)
      .filter((imported) => !faces.includes(imported))
      // `disburse events listen` calls the API.
      .filter((imported) => imported !== "client/src/index.ts" || nounOf(file) !== "doors/cli")
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(around).toEqual([]);
  const banking = ["doors/cli", "money/rails"];
  const knowing = sources.filter((file) =>
    importsOf(file).some((path) => /bank-simulator/.test(path)),
  );
  expect([...new Set(knowing.map(nounOf))]).toEqual(banking);
});

// So that none needs the service, and the simulator shares no reader, writer or calendar with what it checks.
test("a package imports its own files, what Node has, and the packages that its package.json names", () => {
  expect(packages.length).toBeGreaterThan(2);
  for (const folder of packages) {
    const { dependencies } = JSON.parse(read(`${folder}/package.json`));
    const ours = files.filter((file) => file.startsWith(`${folder}/src/`));
    expect(ours.length).toBeGreaterThan(5);
    const named = new Set<string>();
    for (const file of ours) {
      const elsewhere = importsOf(file).filter((path) => !path.startsWith(`${folder}/src/`));
      expect(elsewhere, file).toEqual([]);
      for (const [, name = ""] of read(file).matchAll(
        /\b(?:from|import|import\()\s*"([\w@][\w@:./-]*)"/g,
      ))
        if (!name.startsWith("node:")) named.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] as string);
    }
    expect([...named].sort()).toEqual(Object.keys(dependencies).sort());
  }
});

test("a face only passes on, by name, what other nouns use", () => {
  const used = new Map<string, Set<string>>();
  for (const file of sources) {
    for (const { face, names } of namesFromFaces(file)) {
      used.set(face, (used.get(face) ?? new Set()).union(new Set(names)));
    }
  }
  for (const noun of nouns.filter((noun) => sources.includes(faceOf(noun)))) {
    const text = read(faceOf(noun));
    expect(
      text
        .replace(/^\/\/.*\n/gm, "")
        .replace(exported, "")
        .trim(),
      noun,
    ).toBe("");
    const names = [...text.matchAll(exported)].flatMap(([, list]) => namesIn(list));
    expect(names.sort(), noun).toEqual([...(used.get(faceOf(noun)) ?? [])].sort());
  }
});

test("both pictures of the wings in ARCHITECTURE.md are up to date", () => {
  expect(read("ARCHITECTURE.md")).toContain(wingPicture());
  expect(read("ARCHITECTURE.md")).toContain(nounTable());
});

const exported = /^export (?:type )?\{([^}]*)\} from "\.\/[^"]+";$/gm;

const namesIn = (list = "") =>
  list
    .split(",")
    .map((part) =>
      part
        .trim()
        .replace(/^type /, "")
        .replace(/ as .*/, ""),
    )
    .filter((name) => name !== "");

/** By face: what a file imports of it. */
function namesFromFaces(file: string): { face: string; names: string[] }[] {
  const faces = importsInServer(file).filter((imported) => nounOf(imported) !== nounOf(file));
  const found = [
    ...read(file).matchAll(
      /^import (?:type )?\{([^}]*)\} from "(?!(?:\.\.\/)+packages\/)\.[^"]+\/([a-z-]+\/[a-z-]+|[a-z-]+)\/index\.ts";$/gm,
    ),
    ...read(file).matchAll(
      /\{([^{}]*)\} = await import\("\.[^"]+\/([a-z-]+\/[a-z-]+|[a-z-]+)\/index\.ts"\)/g,
    ),
  ];
  return found.flatMap(([, list, path]) => {
    const face = faces.find((face) => face.endsWith(`/${path}/index.ts`));
    return face === undefined ? [] : [{ face, names: namesIn(list) }];
  });
}
