// Calls the sign-in library, which takes web requests. It receives only the headers that it needs.

import type { FastifyRequest } from "fastify";
import { type Auth, addressHeader, authPath } from "../../../tenants/users/index.ts";

export type LibraryRequest = {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, string>;
  body?: object;
};

export type LibraryAnswer = {
  status: number;
  /** The library's JSON response, if it sent JSON. */
  json: Record<string, unknown> | undefined;
  /** Passed on unchanged. */
  cookies: string[];
  /** The redirect that the library proposes. We decide whether to follow it. */
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
        // The gate has checked it against all names of the console.
        origin: url.origin,
        "user-agent": userAgent.slice(0, 300),
        [addressHeader]: ip,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  // Most of its 5xx responses mean an unreadable request. A real failure is thrown.
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    json: isJson && text ? JSON.parse(text) : undefined,
    cookies: response.headers.getSetCookie(),
    location: response.headers.get("location"),
  };
}
