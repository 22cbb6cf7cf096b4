// Serves the documentation site below /docs, compressed, from memory.

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type {} from "@fastify/swagger"; // Declares `hide`, which keeps these routes out of the document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fileHeaders, pageHeaders } from "../../../platform/http/index.ts";
import { chooseEncoding, type Encoding, isKnown } from "../docs-page/encoding.ts";
import type { Site, SiteFile } from "./site.ts";

declare module "fastify" {
  interface FastifyInstance {
    documentationSite: () => Site;
  }
}

type Sent = { type: string; etag: string; bytes: Buffer };

/** The site is made when the first page is asked for: a start does not wait for it. */
export function registerSite(app: FastifyInstance, makeSite: () => Site): void {
  let made: Site | undefined;
  const site = () => {
    made ??= makeSite();
    return made;
  };
  app.decorate("documentationSite", site);
  const kept = new Map<string, Sent>();

  async function send(address: string, request: FastifyRequest, reply: FastifyReply) {
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    const name = `${address} ${encoding}`;
    let sent = kept.get(name);
    if (!sent) {
      const file = await findFile(site(), address);
      if (!file) return reply.callNotFound();
      sent = await encode(file, encoding);
      kept.set(name, sent);
    }
    const { type, etag, bytes } = sent;
    const isPage = type.startsWith("text/html");
    reply.headers({ ...(isPage ? pageHeaders(undefined, "form-action 'none'") : fileHeaders) });
    reply.headers({ etag, vary: "accept-encoding", "cache-control": "no-cache" });
    if (isKnown(request, etag)) return reply.code(304).send();
    if (encoding !== "identity" && isText(type)) reply.header("content-encoding", encoding);
    return reply.type(type).send(bytes);
  }

  const schema = { hide: true };
  for (const url of ["/docs", "/docs/"])
    app.get(url, { schema }, (request, reply) => send("/docs", request, reply));
  app.get<{ Params: { "*": string } }>("/docs/*", { schema }, (request, reply) =>
    send(`/docs/${request.params["*"].replace(/\/$/, "")}`, request, reply),
  );
  app.get("/llms.txt", { schema }, (request, reply) => send("/docs/llms.txt", request, reply));
}

/** Undefined where there is none: also a font or a picture that was not built. */
async function findFile(site: Site, address: string): Promise<SiteFile | undefined> {
  try {
    return await site.find(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

const isText = (type: string) => /charset/.test(type);

async function encode({ type, body }: SiteFile, encoding: Encoding): Promise<Sent> {
  const plain = Buffer.from(body);
  const bytes = isText(type) ? await compressText(plain, encoding) : plain;
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { type, etag: `"${hash}-${encoding}"`, bytes };
}

async function compressText(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(plain);
  if (encoding === "identity") return plain;
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
}
