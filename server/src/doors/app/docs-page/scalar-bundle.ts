// Scalar's browser bundle, taken from its npm package and compressed once for each requested encoding.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Fastify from "fastify";
import type { Encoding } from "./encoding.ts";

const packageName = "@scalar/fastify-api-reference";

interface ScalarBundle {
  etag: string;
  encode(encoding: Encoding): Promise<Buffer>;
}

/** The version goes into the bundle's address, so that a browser may keep it for good. */
export function scalarVersion(): string {
  const path = findPackageJSON(packageName, import.meta.url);
  if (path === undefined) throw new Error(`${packageName} is not installed`);
  return JSON.parse(readFileSync(path, "utf8")).version;
}

let bundle: Promise<ScalarBundle> | undefined;

/** Loaded on first use: most processes never show the page, and the module holds 4 MB of text. */
export function loadScalarBundle(): Promise<ScalarBundle> {
  bundle ??= readBundle();
  return bundle;
}

async function readBundle(): Promise<ScalarBundle> {
  const source = await readSource();
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 22);
  const encoded = new Map<Encoding, Promise<Buffer>>();
  return {
    etag: `"${hash}"`,
    encode(encoding) {
      const bytes = encoded.get(encoding) ?? compress(source, encoding);
      encoded.set(encoding, bytes);
      return bytes;
    },
  };
}

// The package exports nothing but a plugin that serves the bundle, so we ask a server of our own.
async function readSource(): Promise<Buffer> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const server = Fastify();
  await server.register(scalar, { routePrefix: "/scalar", configuration: { url: "/none" } });
  const response = await server.inject("/scalar/js/scalar.js");
  await server.close();
  if (response.statusCode !== 200) throw new Error(`${packageName} did not serve its bundle`);
  return response.rawPayload;
}

// On the thread pool: brotli takes 0.7 s at quality 9, and 11 s at quality 11 for a tenth less.
async function compress(source: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return source;
  if (encoding === "gzip") return promisify(gzip)(source, { level: 9 });
  return promisify(brotliCompress)(source, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
    },
  });
}
