// A server that keeps all promises but one: it passes requests on to the service, and changes one thing on the way.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type Asked = { method: string; path: string; headers: Record<string, string>; body: string };
export type Answered = { status: number; headers: Record<string, string>; text: string };

export type Change = {
  asked?: (asked: Asked) => Asked;
  answered?: (answered: Answered, asked: Asked) => Answered;
};

/** What a fetch sets itself. */
const ownHeaders = ["connection", "content-length", "host", "transfer-encoding"];

/** For one test. Returns its address. */
export async function startChangingProxy(
  baseUrl: string,
  {
    asked: changeAsked = (asked) => asked,
    answered: changeAnswered = (answered) => answered,
  }: Change,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const headers = withoutOwn(request.headers as Record<string, string>);
    const { method = "GET", url: path = "/" } = request;
    const asked = changeAsked({ method, path, headers, body: await text(request) });
    const found = await fetch(baseUrl + asked.path, {
      method: asked.method,
      headers: asked.headers,
      ...(asked.body !== "" && { body: asked.body }),
    });
    const answer = {
      status: found.status,
      headers: withoutOwn(Object.fromEntries(found.headers)),
      text: await found.text(),
    };
    const changed = changeAnswered(answer, asked);
    response.writeHead(changed.status, changed.headers).end(changed.text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const withoutOwn = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));
