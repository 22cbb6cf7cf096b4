// What a request says about how a file is sent: compressed, or not at all.

import type { FastifyRequest } from "fastify";

export type Encoding = "br" | "gzip" | "identity";

/** The best encoding that the caller accepts; `br;q=0` refuses it. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const accepted = new Set<string>();
  for (const entry of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : "identity";
}

export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim()) ?? [];
  // A proxy that compresses may have weakened the tag.
  return known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}
