// The releases of CHANGELOG.md as an Atom feed.

import { createHash } from "node:crypto";
import { escapeHtml, type RenderOptions, renderMarkdown } from "./markdown.ts";

/** Addresses in it are relative to its own, as Atom has it. */
export function changelogFeed(changelog: string, options: RenderOptions): string {
  const releases = [
    ...changelog.matchAll(/^## (\S+) \((\d{4}-\d\d-\d\d)\)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm),
  ];
  const entries = releases.map(([, version = "", day = "", text = ""]) => {
    const { html } = renderMarkdown(text, options);
    return `  <entry>
    <id>${idOf(version)}</id>
    <title>Disburse ${version}</title>
    <updated>${day}T00:00:00Z</updated>
    <link href="/docs/changelog"/>
    <content type="html">${escapeHtml(html)}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${idOf("changelog")}</id>
  <title>Disburse: releases</title>
  <author><name>Disburse</name></author>
  <updated>${releases[0]?.[2] ?? "1970-01-01"}T00:00:00Z</updated>
  <link rel="self" href="/docs/changelog.atom"/>
  <link href="/docs/changelog"/>
${entries.join("\n")}
</feed>
`;
}

/** The same at every installation, so that a reader knows an entry again. */
function idOf(name: string): string {
  const hex = createHash("sha256").update(`disburse ${name}`).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
