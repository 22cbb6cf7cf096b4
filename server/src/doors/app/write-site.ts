// Writes the documentation site into a folder, as files for any web server: `npm run pack` puts them into the release. Addresses
// become relative, so the folder can be anywhere.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { withDocumentApp } from "./document-app.ts";

/** They need a service to send to. */
const sendingLink = / · <a href="\/docs\/(send|operator)#[^"]*">[^<]*<\/a>/g;

export async function writeSite(folder: string): Promise<void> {
  await withDocumentApp(async (app) => {
    const { pages, files } = app.documentationSite();
    const isPage = new Set(pages.map(({ path }) => path));
    /** Where an address is, below the folder. */
    const fileOf = (address: string) => {
      const below = address.replace(/^\/(docs\/?)?/, "") || "index";
      return isPage.has(address) ? `${below}.html` : below;
    };
    const relative = (from: string, address: string) => {
      const [path = "", hash] = address.split("#");
      const to = posix.relative(posix.dirname(fileOf(from)), fileOf(path));
      return hash ? `${to}#${hash}` : to;
    };
    for (const address of [...isPage, ...files, "/openapi.json"]) {
      const { statusCode, rawPayload, payload } = await app.inject(address);
      // The font is of the console, and without it pages have that of the system.
      if (statusCode !== 200) continue;
      let bytes: Buffer | string = rawPayload;
      if (isPage.has(address) || address.endsWith(".atom")) {
        bytes = payload
          .replaceAll(sendingLink, "")
          .replaceAll(
            /\b((?:href|src|data-index)=(?:"|&quot;))(\/[^"&]*)/g,
            (_whole, start, to: string) => `${start}${relative(address, to)}`,
          );
      } else if (address.endsWith("search.json")) {
        const entries = JSON.parse(payload) as string[][];
        for (const entry of entries) entry[2] = relative(address, entry[2] as string);
        bytes = JSON.stringify(entries);
      } else if (address.endsWith("site.css")) {
        bytes = payload.replace("/docs/inter.woff2", "inter.woff2");
      }
      const file = join(folder, fileOf(address));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  });
}

if (import.meta.main) await writeSite(resolve(process.argv[2] ?? "docs-site"));
