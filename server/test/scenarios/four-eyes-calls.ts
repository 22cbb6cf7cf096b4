// How the attacker's users and programs call the service.

import { sentBody } from "../support/import-file.ts";

export type Answer = { status: number; json: Record<string, unknown> | undefined };
export type Call = (
  method: string,
  path: string,
  body?: Record<string, unknown>,
) => Promise<Answer>;

/** Calls below a path, with what proves who calls. */
export function calling(under: string, proof: Record<string, string>): Call {
  return async (method, path, body) => {
    const sent = body && sentBody(body);
    const response = await fetch(under + path, {
      method,
      headers: { ...proof, ...(sent && { "content-type": sent.type }) },
      ...(sent && { body: sent.body }),
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get("content-type")?.includes("application/json");
    return { status: response.status, json: isJson && text ? JSON.parse(text) : undefined };
  };
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
