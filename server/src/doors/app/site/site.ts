// The documentation site: its pages, and what is made of all of them: the search index, llms.txt, the feed, the collection. Each is
// made when it is first asked for.

import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Sample } from "../samples/sample.ts";
import { changelogFeed } from "./changelog-feed.ts";
import { shownBaseUrl, shownKey } from "./code-samples.ts";
import { codePage, errorPages } from "./error-pages.ts";
import { guidePages, root } from "./guides.ts";
import { type RenderedPage, type RenderOptions, renderMarkdown } from "./markdown.ts";
import { type ApiDocument, operationPages } from "./operation-pages.ts";
import { pageHtml } from "./page-html.ts";
import { postmanCollection } from "./postman.ts";
import { markdownAddress, type SitePage } from "./site-page.ts";

export type SiteParts = {
  api: ApiDocument;
  operator: ApiDocument;
  samples: Record<"api" | "operator", readonly Sample[]>;
};

export type SiteFile = { type: string; body: string | Buffer };

export type Site = {
  pages: readonly SitePage[];
  /** The addresses of all that is no page. */
  files: readonly string[];
  /** By its address. */
  find: (address: string) => Promise<SiteFile | undefined>;
};

export function createSite({ api, operator, samples }: SiteParts): Site {
  const pages = [
    ...guidePages(),
    ...operationPages({
      path: "/docs/operations",
      title: "Operations",
      introduction:
        "Every operation of the API, with code that runs as shown and responses of a real service. [The interface](/docs/api/interface) says what they have in common.",
      document: api,
      samples: samples.api,
      send: "/docs/send",
    }),
    ...operationPages({
      path: "/docs/operator/operations",
      title: "Operator API",
      introduction:
        "Every operation of the operator API. [Its guide](/docs/api/operator-api) begins with a first call.",
      document: operator,
      samples: samples.operator,
      send: "/docs/operator",
    }),
    ...errorPages(api),
  ];
  const shown = pages.filter(({ isAside }) => !isAside);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byMarkdown = new Map(pages.map((page) => [markdownAddress(page), page]));
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const values = sampleValues(samples.api);
  const pictures = new Set<string>();

  const optionsOf = ({ source }: SitePage): RenderOptions => ({
    codePage,
    values: source === undefined ? values : new Map(),
    resolve(href) {
      if (source === undefined || /^[a-z]+:|^[/#]/.test(href)) return href;
      const [file = "", hash] = href.split("#");
      const target = posix.join(posix.dirname(source), file);
      if (target === "openapi.json") return "/openapi.json";
      if (/^docs\/images\/[\w-]+\.png$/.test(target)) return `/${target}`;
      const page = bySource.get(target);
      return page && (hash ? `${page.path}#${hash}` : page.path);
    },
  });
  const render = (page: SitePage) => renderMarkdown(page.markdown(), optionsOf(page));

  const made: Readonly<Record<string, () => SiteFile | Promise<SiteFile>>> = {
    "/docs/site.css": () => asset("site.css", "text/css"),
    "/docs/site.js": () => asset("site.js", "text/javascript"),
    "/docs/inter.woff2": () => ({ type: "font/woff2", body: readFileSync(fontFile()) }),
    "/docs/search.json": async () => {
      const index: Found[] = [];
      for (const page of pages) {
        index.push(...found(page, render(page)));
        // All pages at once would keep other requests waiting for half a second.
        await setImmediate();
      }
      return json(index);
    },
    "/docs/llms.txt": () => ({ type: text("plain"), body: llms(shown) }),
    "/docs/disburse.postman_collection.json": () => json(postmanCollection(api, samples.api)),
    "/docs/changelog.atom": () => {
      const page = byPath.get("/docs/changelog");
      if (!page) throw new Error("CHANGELOG.md is missing");
      const body = changelogFeed(page.markdown(), optionsOf(page));
      return { type: "application/atom+xml; charset=utf-8", body };
    },
  };
  for (const { source, markdown } of pages)
    for (const [picture] of (source ? markdown() : "").matchAll(
      /(?<=\/)images\/[\w-]+\.png(?=\))/g,
    ))
      pictures.add(`/docs/${picture}`);

  return {
    pages,
    files: [...Object.keys(made), ...byMarkdown.keys(), ...pictures],
    async find(address) {
      const page = byPath.get(address);
      if (page)
        return {
          type: text("html"),
          body: pageHtml({ page, rendered: render(page), pages: shown }),
        };
      const source = byMarkdown.get(address);
      if (source) return { type: text("markdown"), body: source.markdown() };
      if (pictures.has(address))
        return { type: "image/png", body: readFileSync(join(root, address)) };
      return Object.hasOwn(made, address) ? made[address]?.() : undefined;
    },
  };
}

const text = (kind: string) => `text/${kind}; charset=utf-8`;
const json = (value: unknown): SiteFile => ({
  type: "application/json; charset=utf-8",
  body: JSON.stringify(value),
});

function asset(name: string, type: string): SiteFile {
  return { type: `${type}; charset=utf-8`, body: readFileSync(new URL(name, import.meta.url)) };
}

/** Of the built console. Before it is built, pages have the fonts of the system. */
const fontFile = () =>
  join(
    root,
    globSync("console/dist/assets/inter-latin-wght-normal-*.woff2", { cwd: root })[0] ?? "none",
  );

/** An entry of the search: page, heading, address, text. */
type Found = [title: string, heading: string, address: string, body: string];

function found({ path, title }: SitePage, { sections }: RenderedPage): Found[] {
  return sections.map(({ depth, id, text, body }) =>
    depth === 1 ? [title, "", path, body] : [title, text, `${path}#${id}`, body],
  );
}

function llms(pages: readonly SitePage[]): string {
  const groups = [...Map.groupBy(pages.slice(1), ({ group }) => group)].map(([group, list]) => {
    const rows = list.map((page) => `- [${page.title}](${markdownAddress(page)})`);
    return `## ${group}\n\n${rows.join("\n")}`;
  });
  return `# Disburse

> A payout service. A company runs it for its subaccounts, which register receivers, add their bank accounts and pay them over a
> signed HTTP API. Every page below is Markdown. /openapi.json has the schemas, and /docs/errors/<code>.md a page for each code.

${groups.join("\n\n")}
`;
}

/** What a reader has of their own: the key, the address of the service, and ids of the kinds that samples name. */
function sampleValues(samples: readonly Sample[]): Map<string, string> {
  const values = new Map([
    [shownKey, "key"],
    [shownBaseUrl, "base_url"],
  ]);
  const kinds = { receiver: "receiver_id", receiveraccount: "account_id", payout: "payout_id" };
  for (const { method, path } of samples) {
    for (const [kind, name] of Object.entries(kinds)) {
      const [id] = new RegExp(`(?<=^/api/${kind}/)[0-9a-f-]{36}$`).exec(path) ?? [];
      if (id && method === "GET" && !id.endsWith("ffff")) values.set(id, name);
    }
  }
  return values;
}
