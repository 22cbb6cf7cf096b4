// Markdown as HTML, for every page of the documentation site: headings with anchors, links to pages of the site, and blocks of
// code that stand next to each other as tabs.

import { Marked, type RendererObject, type Token, type Tokens } from "marked";

export type Heading = { depth: number; id: string; text: string };

/** What a search finds: a heading and the text below it. */
export type PageSection = Heading & { body: string };

export type RenderedPage = { html: string; sections: PageSection[] };

export type RenderOptions = {
  /** Where a link of the page leads. Undefined: to nothing that the site has. */
  resolve: (href: string) => string | undefined;
  /** The address of a code's page, where the text is a code. */
  codePage: (text: string) => string | undefined;
  /** Texts that the reader's own values replace, with the name of the value. */
  values: ReadonlyMap<string, string>;
};

/** Bodies of the search index that are longer are cut. */
const bodyCharsMax = 2_000;

/** Code that is longer is a file or an answer, in which nobody searches. */
const codeCharsMax = 400;

export function renderMarkdown(markdown: string, options: RenderOptions): RenderedPage {
  const marked = new Marked({ renderer: rendererOf(options) });
  const tokens = marked.lexer(markdown);
  const html = groupsOf(tokens)
    .map((group) => {
      const parsed = group.map((token) => marked.parser([token]));
      return isTabs(group) ? tabsOf(group as Tokens.Code[], parsed) : parsed.join("");
    })
    .join("");
  return { html, sections: sectionsOf(tokens) };
}

function rendererOf({ resolve, codePage, values }: RenderOptions): RendererObject {
  const idOf = headingIds();
  const linked = (text: string, html: string) => {
    const page = codePage(text);
    return page === undefined ? html : `<a href="${page}">${html}</a>`;
  };
  return {
    heading({ tokens, depth, text }) {
      const [id, inner] = [idOf(text), this.parser.parseInline(tokens)];
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const label = `Link to ${escapeHtml(plain(text))}`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const address = resolve(href);
      return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
    },
    image({ href, text }) {
      const address = resolve(href);
      if (address === undefined) return escapeHtml(text);
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    // Comments and pictures for other readers of the files; a "<" of a text stays one.
    html: ({ text, block }) => (block || text.startsWith("<!--") ? "" : escapeHtml(text)),
    codespan: ({ text }) => linked(text, `<code>${escapeHtml(text)}</code>`),
    code({ text, lang = "" }) {
      const language = /^\w+/.exec(lang)?.[0] ?? "text";
      const code = withValues(escapeHtml(text), values);
      return `<pre tabindex="0"><code class="language-${language}">${code}\n</code></pre>\n`;
    },
    table({ header, rows }) {
      const row = (cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((cell) => this.tablecell(cell)).join("")}</tr>\n`;
      const isTitled = header.some(({ text }) => text !== "");
      const head = isTitled ? `<thead>\n${row(header)}</thead>\n` : "";
      // A wide table scrolls, also by the keyboard.
      return `<div class="table" role="region" aria-label="Table" tabindex="0"><table>\n${head}<tbody>\n${rows.map(row).join("")}</tbody></table></div>\n`;
    },
    tablecell({ tokens, text, header, align }) {
      const name = header && text !== "" ? "th" : "td";
      const attributes = align === "right" ? ' class="right"' : "";
      return `<${name}${attributes}>${linked(text, this.parser.parseInline(tokens))}</${name}>`;
    },
  };
}

/** Ids as GitHub makes them, so that links in the repository lead to the same place. */
function headingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, "")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

function sectionsOf(tokens: readonly Token[]): PageSection[] {
  const idOf = headingIds();
  const sections: PageSection[] = [];
  for (const token of tokens) {
    const last = sections.at(-1);
    if (token.type === "heading") {
      const { depth, text } = token as Tokens.Heading;
      sections.push({ depth, id: idOf(text), text: plain(text), body: "" });
    } else if (last && isSearched(token) && last.body.length < bodyCharsMax) {
      last.body = `${last.body} ${plain(token.raw)}`.trim().slice(0, bodyCharsMax);
    }
  }
  return sections;
}

const isSearched = ({ type, raw }: Token) =>
  type !== "html" && !(type === "code" && raw.length > codeCharsMax);

/** A text without marks, for the search and for labels. */
export function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\|[-:| ]+\|$|[`*|]|^[\s>#-]+/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The title of a tab is in the first line of its block: "sh tab=curl". */
const tabOf = (token: Token) => /\btab=(\S+)/.exec((token as Tokens.Code).lang ?? "")?.[1];

const isTabs = (group: readonly Token[]) =>
  group[0]?.type === "code" && tabOf(group[0]) !== undefined;

function groupsOf(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    const isTab = token.type === "code" && tabOf(token) !== undefined;
    if (token.type === "space" && last && isTabs(last)) continue;
    if (last && isTabs(last) === isTab) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

/** Radio buttons choose the tab, so that it needs no script. */
function tabsOf(tokens: readonly Tokens.Code[], blocks: readonly string[]): string {
  const parts = tokens.map((token, index) => {
    const title = tabOf(token) as string;
    const id = `tab-${title.toLowerCase()}`;
    const checked = index === 0 ? " checked" : "";
    return `<input type="radio" name="language" id="${id}" value="${title}"${checked}><label for="${id}">${title}</label>\n<div class="tab">${blocks[index]}</div>\n`;
  });
  return `<fieldset class="tabs"><legend>Language</legend>\n${parts.join("")}</fieldset>\n`;
}

function withValues(html: string, values: ReadonlyMap<string, string>): string {
  let marked = html;
  for (const [text, name] of values)
    marked = marked.replaceAll(text, `<span data-value="${name}">${text}</span>`);
  return marked;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
