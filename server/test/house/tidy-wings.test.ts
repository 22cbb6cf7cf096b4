// The rules of the wings: a file imports its own noun or lower ones, and lower ones only through their face.

import { expect, test } from "vitest";
import { faceOf, importsOf, nounOf, sources } from "./server-files.ts";
import { read } from "./tracked-files.ts";
import { nouns, nounTable, wingPicture } from "./wings.ts";

const rankOf = (file: string) => nouns.indexOf(nounOf(file));
// `disburse events listen` calls the API with the client, so imports of the client are allowed.
const importsInServer = (file: string) =>
  importsOf(file).filter((imported) => !imported.startsWith("client/"));

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
      /^import (?:type )?\{([^}]*)\} from "\.[^"]+\/([a-z-]+\/[a-z-]+|[a-z-]+)\/index\.ts";$/gm,
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
