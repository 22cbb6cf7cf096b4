// A page of the documentation site. Each one is Markdown first.

export type SitePage = {
  /** Its address, such as "/docs/start/first-event". */
  path: string;
  title: string;
  /** The part of the navigation that it is in, and the chapter of it. */
  group: string;
  chapter?: string;
  /** Written when it is asked for. */
  markdown: () => string;
  /** The file that it is made from, below the repository or the package, such as "docs/start/first-event.md". */
  source?: string;
  /** Found by links and the search, and not in the navigation. */
  isAside?: true;
};

/** Where the page is as Markdown. The file of a guide keeps its name, so that links between files lead on. */
export function markdownAddress({ path, source }: SitePage): string {
  if (path === "/docs") return "/docs/README.md";
  return source?.startsWith("docs/") ? `/${source}` : `${path}.md`;
}
