// Asks the library that logs users in, which speaks web requests. It is told only what it needs to know.

import type { FastifyRequest } from "fastify";
import type { Auth } from "../../users/auth.ts";
import { addressHeader, authPath } from "../../users/auth-path.ts";

export type LibraryRequest = {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, string>;
  body?: object;
};

export type LibraryAnswer = {
  status: number;
  /** What the library said, where it said it in JSON. */
  json: Record<string, unknown> | undefined;
  /** To be passed on as they are. */
  cookies: string[];
  /** Where it would send the browser, which is for us to decide. */
  location: string | null;
};

export async function askLibrary(
  { handler, options }: Auth,
  { headers, ip }: FastifyRequest,
  { method, path, query = {}, body }: LibraryRequest,
): Promise<LibraryAnswer> {
  const { cookie, "user-agent": userAgent = "" } = headers;
  const url = new URL(`${options.baseURL}${authPath}${path}`);
  url.search = new URLSearchParams(query).toString();
  const response = await handler(
    new Request(url, {
      method,
      headers: {
        ...(cookie && { cookie }),
        // The gate has made sure of it, by whichever of its names the console was opened.
        origin: url.origin,
        "user-agent": userAgent.slice(0, 300),
        [addressHeader]: ip,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  // Also what it calls an error of its own is mostly something that it could not read. A real one is thrown.
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    json: isJson && text ? JSON.parse(text) : undefined,
    cookies: response.headers.getSetCookie(),
    location: response.headers.get("location"),
  };
}
