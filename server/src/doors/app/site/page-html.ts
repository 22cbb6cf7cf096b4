// A page of the site around its text: navigation, search, the pages before and after it.

import { escapeHtml, type RenderedPage } from "./markdown.ts";
import { markdownAddress, type SitePage } from "./site-page.ts";

type PageParts = {
  page: SitePage;
  rendered: RenderedPage;
  /** All pages of the navigation, in order. */
  pages: readonly SitePage[];
};

export function pageHtml({ page, rendered, pages }: PageParts): string {
  const place = pages.indexOf(page);
  const [before, after] = place < 0 ? [] : [pages[place - 1], pages[place + 1]];
  const description = rendered.sections[0]?.body.slice(0, 160) ?? "";
  const title = page.path === "/docs" ? "Disburse documentation" : `${page.title} · Disburse`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/site.css">
<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}">
<link rel="alternate" type="application/atom+xml" title="Releases" href="/docs/changelog.atom">
<script src="/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#site-text">Skip to the text</a>
<header>
<a class="brand" href="/docs">Disburse <span>Documentation</span></a>
<div class="search" id="site-search" data-index="/docs/search.json" hidden>
<label for="site-query">Search</label>
<input type="search" id="site-query" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
<div class="found" id="site-found" role="region" aria-label="Search results" aria-live="polite" hidden></div>
</div>
<button type="button" id="site-scheme" hidden></button>
</header>
<div class="columns">
<nav aria-label="Pages">
<details id="site-menu"><summary>All pages</summary>
${navigation(page, pages)}
</details>
</nav>
<main id="site-text">
<p class="where">${escapeHtml([page.group, page.chapter].filter(Boolean).join(" · "))}</p>
${rendered.html}
<nav class="turn" aria-label="Before and after">
${before ? `<a rel="prev" href="${before.path}"><span>Previous</span> ${escapeHtml(before.title)}</a>` : "<span></span>"}
${after ? `<a rel="next" href="${after.path}"><span>Next</span> ${escapeHtml(after.title)}</a>` : ""}
</nav>
<p class="foot"><a href="${markdownAddress(page)}">This page as Markdown</a> · <a href="/docs/llms.txt">llms.txt</a> · <a href="/docs/disburse.postman_collection.json">Postman collection</a> · <a href="/docs/changelog">Changelog</a></p>
</main>
${contents(rendered)}
</div>
</body>
</html>
`;
}

/** The groups, each with its pages. Operations are listed in the group that the page is in: there are many. */
function navigation(page: SitePage, pages: readonly SitePage[]): string {
  const groups = [...Map.groupBy(pages.slice(1), ({ group }) => group)];
  return groups
    .map(([group, list]) => {
      const isHere = group === page.group;
      const shown = isHere ? list : list.filter(({ chapter }) => chapter === undefined);
      let chapter: string | undefined;
      const items = shown.map((one) => {
        const head =
          one.chapter !== chapter && one.chapter
            ? `<li class="chapter">${escapeHtml(one.chapter)}</li>`
            : "";
        chapter = one.chapter;
        const current = one === page ? ' aria-current="page"' : "";
        return `${head}<li><a href="${one.path}"${current}>${escapeHtml(one.title)}</a></li>`;
      });
      return `<details${isHere || page.group === "" ? " open" : ""}><summary>${escapeHtml(group)}</summary>\n<ul>\n${items.join("\n")}\n</ul></details>`;
    })
    .join("\n");
}

/** The headings of a long page, beside it. */
function contents({ sections }: RenderedPage): string {
  const heads = sections.filter(({ depth }) => depth === 2);
  if (heads.length < 2) return '<div class="contents"></div>';
  const items = heads.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>\n<ul>\n${items.join("\n")}\n</ul></nav>`;
}
