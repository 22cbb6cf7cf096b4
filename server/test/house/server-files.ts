// The files of server/src and of packages/, their nouns, and what they import.

import { dirname, join, relative } from "node:path";
import { files, read, root } from "./tracked-files.ts";

export const sources = files.filter(
  (file) => file.startsWith("server/src/") && file.endsWith(".ts"),
);

export const packages = [
  ...new Set(files.flatMap((file) => /^packages\/[\w-]+/.exec(file)?.[0] ?? [])),
];

/** The files of a package that others import: those that its package.json exports. */
export function facesOf(folder: string): string[] {
  const { exports } = JSON.parse(read(`${folder}/package.json`)) as {
    exports: Record<string, string>;
  };
  return Object.values(exports)
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(folder, path.replace("dist", "src").replace(/js$/, "ts")));
}

/** The files of this repository that a file imports, as paths from the root. */
export function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import\(|import)\s*"(\.[^"]+)"/g)].map(([, path]) =>
    relative(root, join(root, dirname(file), path as string)),
  );
}

/** The noun that a file of the server is in, with its wing: "money/payouts". */
export function nounOf(file: string): string {
  return file.split("/").slice(2, 4).join("/");
}

/** What other nouns import of a noun. */
export const faceOf = (noun: string) => `server/src/${noun}/index.ts`;
