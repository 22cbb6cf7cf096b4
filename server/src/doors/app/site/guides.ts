// The guides: the pages of docs/ and a few files beside it, in the order in which docs/README.md and the lists of the folders name them.

import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { plain } from "./markdown.ts";
import type { SitePage } from "./site-page.ts";

/** Of the repository and of the package: both have docs/ there. */
export const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

const groups: Readonly<Record<string, string>> = {
  start: "Start",
  api: "API",
  console: "Console",
  operate: "Operate",
  compliance: "Compliance",
  reference: "Reference",
  decisions: "Decisions",
};

/** Files that are not in docs/, and that its pages lead to. */
const besides: readonly Omit<SitePage, "markdown">[] = [
  { source: "README.md", path: "/docs/start", group: "Start", title: "Quick start" },
  {
    source: "client/README.md",
    path: "/docs/api/typescript",
    group: "API",
    title: "TypeScript client",
  },
  {
    source: "clients/python/README.md",
    path: "/docs/api/python",
    group: "API",
    title: "Python client",
  },
  { source: "clients/php/README.md", path: "/docs/api/php", group: "API", title: "PHP client" },
  {
    source: "packages/command-line/README.md",
    path: "/docs/api/command-line",
    group: "API",
    title: "Command line over HTTP",
  },
  {
    source: "deploy/README.md",
    path: "/docs/operate/deploy",
    group: "Operate",
    title: "Examples of deployment",
  },
  { source: "SECURITY.md", path: "/docs/operate/security", group: "Operate", title: "Security" },
  { source: "CHANGELOG.md", path: "/docs/changelog", group: "Reference", title: "Changelog" },
];

/** A package has them too. */
export const guideFiles: readonly string[] = besides.flatMap(({ source }) => source ?? []);

export function guidePages(): SitePage[] {
  const files = globSync("docs/**/*.md", { cwd: root }).sort();
  const overview = read("docs/README.md") ?? "";
  const home = { path: "/docs", title: "Documentation", group: "", source: "docs/README.md" };
  const pages = files.flatMap((source): SitePage[] => {
    const [, folder = "", name = ""] = /^docs\/(\w+)\/([\w-]+)\.md$/.exec(source) ?? [];
    const group = groups[folder];
    if (group === undefined) return [];
    const path = name === "README" ? `/docs/${folder}` : `/docs/${folder}/${name}`;
    const text = read(source) ?? "";
    return [{ path, title: titleOf(text), group, markdown: () => text, source }];
  });
  for (const page of besides) {
    const text = read(page.source ?? "");
    if (text !== undefined) pages.push({ ...page, markdown: () => text });
  }
  // The order of the lists: of all documents, then of a folder.
  const named = linksOf("docs/README.md", overview);
  for (const { source = "", markdown } of pages)
    if (source.endsWith("/README.md")) named.push(source, ...linksOf(source, markdown()));
  const place = ({ source = "" }: SitePage) => {
    const found = named.indexOf(source);
    if (/^docs\/\w+\/README\.md$/.test(source) || source === "README.md") return -1;
    return found < 0 ? named.length : found;
  };
  const names = Object.values(groups);
  pages.sort((one, other) => {
    const byGroup = names.indexOf(one.group) - names.indexOf(other.group);
    return byGroup || place(one) - place(other);
  });
  return [{ ...home, markdown: () => overview }, ...pages];
}

const titleOf = (markdown: string) => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? "");

/** The files that a page links to, in its order. */
function linksOf(source: string, markdown: string): string[] {
  return [...markdown.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, href = ""]) =>
    posix.join(posix.dirname(source), href),
  );
}

/** Undefined where it is missing. */
function read(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return undefined;
  }
}
