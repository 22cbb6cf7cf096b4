// The console's page and its files, as console/build.ts made them. What is behind the page is in console.ts.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type {} from "@fastify/swagger"; // Declares `hide`, which keeps these routes out of the document.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendFailure } from "../http/envelope.ts";
import { fileHeaders, pageHeaders } from "../http/page-headers.ts";

const built = new URL("../../../console/dist/", import.meta.url);
const schema = { hide: true };
const yearSeconds = 365 * 24 * 3600;

const morePolicy = ["manifest-src 'self'", "form-action 'self'"];
const unused = ["camera", "geolocation", "microphone", "payment", "usb"];
const moreHeaders = { "permissions-policy": unused.map((name) => `${name}=()`).join(", ") };

export async function registerConsolePages(app: FastifyInstance, folder = built): Promise<void> {
  await app.register(async (files) => {
    // An address that leads elsewhere than to a file of ours leads nowhere.
    files.setErrorHandler((error: FastifyError, request, reply) => {
      if ((error.statusCode ?? 500) >= 500) sendFailure(error, request, reply);
      else reply.callNotFound();
    });
    await files.register(fastifyStatic, {
      root: fileURLToPath(new URL("assets/", folder)),
      prefix: "/console/assets/",
      preCompressed: true,
      index: false,
      decorateReply: false,
      // Where nothing is built there is nothing to give out: the page says so.
      suppressWarning: true,
      cacheControl: false,
      setHeaders: (reply) => {
        // Their names change with their content.
        const cacheControl = `public, max-age=${yearSeconds}, immutable`;
        reply.headers({ ...fileHeaders, "cache-control": cacheControl });
      },
    });
  });

  // Which page it is, the page itself finds out from its address.
  for (const url of ["/console", "/console/", "/console/:page", "/console/s/*"])
    app.get(url, { schema }, (request, reply) => sendPage(folder, request, reply));
}

/**
 * What a browser gets instead of our JSON where there is no such route: from the root the way to the console, and below
 * /console the page, which says for itself that there is none. Undefined: it is not for a browser. Not as routes of their
 * own, which would turn every unknown path below them into one that exists.
 */
export function pageInstead(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> | FastifyReply | undefined {
  const path = (request.raw.url ?? "").split("?")[0] as string;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !/(^|,)\s*text\/html\s*(;|,|$)/i.test(request.headers.accept ?? ""))
    return undefined;
  if (path === "/") return reply.header("vary", "accept").redirect("/console", 302);
  return /^\/console\/(?!(api|assets)(\/|$))/.test(path)
    ? sendPage(built, request, reply)
    : undefined;
}

async function sendPage(folder: URL, request: FastifyRequest, reply: FastifyReply) {
  const { page } = (request.params ?? {}) as { page?: string };
  // What is behind the pages says no in its own way, and a file that isn't there is no page.
  if (page === "api" || page === "assets") return reply.callNotFound();
  const nonce = randomBytes(16).toString("base64");
  reply.headers({ ...pageHeaders(nonce, ...morePolicy), ...moreHeaders });
  const html = await readPage(folder);
  if (html === undefined) {
    return reply.code(503).type("text/plain; charset=utf-8").send(notBuilt);
  }
  return reply.type("text/html; charset=utf-8").send(html.replaceAll("{{nonce}}", nonce));
}

/** Each time anew: it may be built while the service runs, and then names other files. */
async function readPage(folder: URL): Promise<string | undefined> {
  try {
    return await readFile(new URL("index.html", folder), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

const notBuilt = `The console has not been built.

Start the service with: npm start
Or build the console alone: node console/build.ts
`;
