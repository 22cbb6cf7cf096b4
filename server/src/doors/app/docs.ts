// The pages that send requests, of the API and of the operator API: Scalar's API reference, whose Send button signs. Nothing
// leaves the origin. The pages to read are in site/.

import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type {} from "@fastify/swagger"; // Declares `hide`, which keeps these routes out of the document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fileHeaders, pageHeaders } from "../../platform/http/index.ts";
import { chooseEncoding, isKnown } from "./docs-page/encoding.ts";
import { loadScalarBundle, scalarVersion } from "./docs-page/scalar-bundle.ts";

const schema = { hide: true };

const pageFiles = {
  "page.js": "text/javascript; charset=utf-8",
  "credentials.js": "text/javascript; charset=utf-8",
  "sign.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
} as const;

const titles = { subaccount: "Disburse API", operator: "Disburse operator API" } as const;

/** What the page says of each API. */
const pages = {
  subaccount: {
    title: titles.subaccount,
    about: "Send signs in this browser. The secret is never sent.",
    document: "/openapi.json",
    otherTitle: titles.operator,
    otherPath: "/docs/operator",
  },
  operator: {
    title: titles.operator,
    about: "For programs, with an operator token.",
    document: "/operator/v1/openapi.json",
    otherTitle: titles.subaccount,
    otherPath: "/docs/send",
  },
} as const;

const addresses = [
  ["/docs/send", "subaccount"],
  ["/docs/operator", "operator"],
] as const;

export async function registerDocs(app: FastifyInstance): Promise<void> {
  const version = scalarVersion();
  const template = (await readPageFile("page.html")).toString();

  for (const [url, api] of addresses) {
    const words = { ...pages[api], api, scalarVersion: version };
    const html = Object.entries(words).reduce(
      (text, [name, word]) => text.replaceAll(`{{${name}}}`, word),
      template,
    );
    app.get(url, { schema }, (_request, reply) => {
      const nonce = randomBytes(16).toString("base64");
      return reply
        .headers(pageHeaders(nonce, ...morePolicy))
        .type("text/html; charset=utf-8")
        .send(html.replace("{{nonce}}", nonce));
    });
  }

  for (const [name, type] of Object.entries(pageFiles)) {
    const bytes = await readPageFile(name);
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    app.get(`/docs/${name}`, { schema }, (request, reply) => {
      reply.headers({ ...fileHeaders, etag, "cache-control": "no-cache" });
      if (isKnown(request, etag)) return reply.code(304).send();
      return reply.type(type).send(bytes);
    });
  }

  app.get<{ Querystring: { v?: string } }>("/docs/scalar.js", { schema }, (request, reply) =>
    sendScalar(request, reply, request.query.v === version),
  );
}

async function sendScalar(request: FastifyRequest, reply: FastifyReply, isVersioned: boolean) {
  const bundle = await loadScalarBundle();
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  // One tag for each encoding: a strong tag stands for exact bytes.
  const etag = bundle.etag.replace(/"$/, `-${encoding}"`);
  reply.headers({
    ...fileHeaders,
    etag,
    vary: "accept-encoding",
    "cache-control": isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (isKnown(request, etag)) return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.type("text/javascript; charset=utf-8").send(await bundle.encode(encoding));
}

const morePolicy = [
  // Scalar numbers the lines of its code samples through style attributes. What they could fetch is bound by
  // the rest of the policy.
  "style-src-attr 'unsafe-inline'",
  "form-action 'none'",
];

function readPageFile(name: string): Promise<Buffer> {
  return readFile(new URL(`docs-page/${name}`, import.meta.url));
}
