// Serves the console's page and files, as console/build.ts built them. Its API is in doors/console/routes.ts.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type {} from "@fastify/swagger"; // Declares `hide`, which keeps these routes out of the document.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fileHeaders, pageHeaders, sendFailure } from "../../platform/http/index.ts";
import { sessionCookieNames } from "../../tenants/users/index.ts";

const built = new URL("../../../../console/dist/", import.meta.url);
const schema = { hide: true };
const yearSeconds = 365 * 24 * 3600;

const morePolicy = ["manifest-src 'self'", "form-action 'self'"];
const unused = ["camera", "geolocation", "microphone", "payment", "usb"];
const moreHeaders = { "permissions-policy": unused.map((name) => `${name}=()`).join(", ") };

export async function registerConsolePages(app: FastifyInstance, folder = built): Promise<void> {
  await app.register(async (files) => {
    // A path outside the folder is answered as not found.
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
      // Without a build there are no files; the page says so.
      suppressWarning: true,
      cacheControl: false,
      setHeaders: (reply) => {
        // Their names change with their content.
        const cacheControl = `public, max-age=${yearSeconds}, immutable`;
        reply.headers({ ...fileHeaders, "cache-control": cacheControl });
      },
    });
  });

  // One HTML page serves all screens; its router reads the address.
  for (const url of ["/console", "/console/", "/console/:page", "/console/s/*"])
    app.get(url, { schema }, (request, reply) => sendPage(folder, request, reply));
}

/**
 * The page for a browser that asks for an unknown route: a redirect from the root to the console, and below /console the
 * page, which shows "not found" itself. Undefined: answer with JSON. These are no routes, because then every unknown
 * path below them would count as known.
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
  // The console's API answers unknown paths with JSON, and a missing file is no page.
  if (page === "api" || page === "assets") return reply.callNotFound();
  const nonce = randomBytes(16).toString("base64");
  reply.headers({ ...pageHeaders(nonce, ...morePolicy), ...moreHeaders });
  // Loaded together with the page, instead of when its script asks for it.
  const isInside = hasSession(request) && page !== "sign-in" && page !== "set-up";
  if (isInside) reply.header("link", "</console/api/me>; rel=preload; as=fetch; crossorigin");
  const html = await readPage(folder);
  if (html === undefined) {
    return reply.code(503).type("text/plain; charset=utf-8").send(notBuilt);
  }
  // The sign-in page does without the parts that the other pages share.
  const shown = isInside ? html : html.replace(/ *<link rel="modulepreload".*\n/, "");
  return reply.type("text/html; charset=utf-8").send(shown.replaceAll("{{nonce}}", nonce));
}

/**
 * A page of another build, after an update: what is refused because of its form is answered with "reload the page".
 * The page names its script.
 */
export function isOfOtherBuild({ headers }: FastifyRequest, folder = built): boolean {
  const script = headers["x-disburse-page"];
  if (typeof script !== "string" || !/^[\w-]{1,100}\.js$/.test(script)) return false;
  return !existsSync(new URL(`assets/${script}`, folder));
}

/** A guess: whether the session still stands is decided by the console's API. */
const hasSession = ({ headers: { cookie = "" } }: FastifyRequest) =>
  sessionCookieNames.some((name) => cookie.includes(`${name}=`));

/** Read for each request: a build while the service runs changes the file names in it. */
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
