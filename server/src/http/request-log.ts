// From an answered request to its line in the request log. Runs once the answer is out, and makes no promise and
// keeps no object for what went well: most of the calls are reads, and they are to cost next to nothing.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { isUuid } from "../ids.ts";
import { limits } from "../limits.ts";
import type { Problem } from "../refusals.ts";
import { hidden, type Redactor, redactor } from "../request-log/redact.ts";
import { signatureHint } from "../request-log/signature-hint.ts";
import type { RequestLog } from "../request-log/writer.ts";
import type { KeyCache, LiveKey } from "../subaccounts/key-cache.ts";
import type { Api } from "./api.ts";
import { rateLimiter } from "./rate-limit.ts";

export type RequestLogParts = { requestLog: RequestLog; keys: KeyCache; clock: Clock };

/** What is known of a route before anybody calls it. */
type Operation = {
  /** Method and pattern, as the line has them. */
  named: string;
  hasId: boolean;
};

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

const nothing = "\\N";
const codesMax = 10;
const agentsKnownMax = 1_000;

/** Before the routes: it listens to what they say about themselves. */
export function registerRequestLog(app: Api, { requestLog, keys, clock }: RequestLogParts): void {
  const names = new Set<string>();
  const words = new Set<string>();
  let redact: Redactor = redactor([]);

  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/api/")) return;
    const named = `${[route.method].flat().join()}\t${route.url}`;
    route.config = { ...route.config, operation: { named, hasId: route.url.includes(":id") } };
    for (const word of route.url.split("/")) if (!word.startsWith(":")) words.add(word);
    for (const schema of [route.schema?.body, route.schema?.querystring]) {
      const { properties = {} } = (schema ?? {}) as { properties?: object };
      for (const name of Object.keys(properties)) names.add(name);
    }
  });
  app.addHook("onReady", (done) => {
    redact = redactor(names);
    done();
  });
  app.addHook("onClose", () => requestLog.close());

  app.addHook("onResponse", (request, reply, done) => {
    try {
      if (request.caller) noteProven(request, reply);
      else if (request.raw.url?.startsWith("/api/")) noteUnproven(request, reply);
    } catch (error) {
      // The answer is out. Nobody would catch it here, and a log is no reason to end the process.
      request.log.error({ request_id: request.id, err: error }, "request log");
    }
    done();
  });

  function noteProven(request: FastifyRequest, reply: FastifyReply): void {
    const { subaccountId, key } = request.caller;
    const { operation } = request.routeOptions.config;
    const object = operation?.hasId
      ? idIn((request.params as { id?: string }).id)
      : createdId(reply.written);
    const isPlain = reply.statusCode < 400 && request.method === "GET";
    const detail = isPlain ? nothing : detailOf(request, reply);
    add(`${subaccountId}\t${request.id}\t${key}`, operation, object, request, reply, detail);
  }

  function add(
    whose: string,
    operation: Operation | undefined,
    object: string,
    request: FastifyRequest,
    reply: FastifyReply,
    detail: string,
  ): void {
    const { raw, headers } = request;
    const url = raw.url as string;
    const named = operation?.named ?? `${request.method}\t`;
    const query = operation ? queryOf(url) : pathOf(url);
    const us = Math.round(reply.elapsedTime * 1000);
    requestLog.add(
      `${whose}\t${named}\t${object}\t${reply.statusCode}\t${us}\t${ipOf(request.ip)}\t` +
        `${agentOf(headers["user-agent"])}\t${query}\t${codesOf(reply.refused)}\t${detail}\n`,
    );
  }

  function queryOf(url: string): string {
    const question = url.indexOf("?");
    return question < 0 ? nothing : redact.queryText(url.slice(question + 1));
  }

  function detailOf({ body, caller }: FastifyRequest, { refused, replayed }: FastifyReply): string {
    const parts: string[] = [];
    if (body && !(body instanceof Buffer)) parts.push(`"body":${redact.bodyText(body)}`);
    if (caller.idempotency) parts.push(`"idempotency":"${replayed ? "replayed" : "sent"}"`);
    if (refused) parts.push(`"problems":${problemsText(refused)}`);
    return parts.length > 0 ? `{${parts.join()}}` : nothing;
  }

  function problemsText(problems: readonly Problem[]): string {
    const pairs = problems.slice(0, codesMax).map(({ code, field = "" }) => [code, shown(field)]);
    return JSON.stringify(pairs);
  }

  /** The field at fault may be one that the caller made up. */
  function shown(field: string): string {
    const [, name = ""] = /^(?:payouts\[\d{1,5}\]\.?)?(\w*)$/.exec(field) ?? [];
    const isKnown = name === "" ? field.endsWith("]") : redact.isKnown(name);
    return field === "" || isKnown ? field : hidden;
  }

  const ofAll = rateLimiter(perSecond(limits.unprovenPerProcess), clock);
  const ofKey = rateLimiter(perSecond(limits.unprovenPerKey), clock);

  /** Anybody can name a key. So there is a bound to what is looked up, and to what one key gets written. */
  function noteUnproven(request: FastifyRequest, reply: FastifyReply): void {
    const key = request.headers["x-api-key"];
    if (typeof key !== "string" || key === "") return;
    if (!ofAll?.("").allowed) {
      requestLog.drop("unproven");
      return;
    }
    const found = keys.find(key);
    const note = (live: LiveKey | undefined) => {
      if (!live) return;
      if (!ofKey?.(live.key).allowed) {
        requestLog.drop("unproven");
        return;
      }
      const { operation } = request.routeOptions.config;
      const object = operation?.hasId ? idIn((request.params as { id?: string }).id) : nothing;
      const detail = unprovenDetail(request, reply, live);
      add(
        `${live.subaccountId}\t${request.id}\t${live.key}`,
        operation,
        object,
        request,
        reply,
        detail,
      );
    };
    if (found instanceof Promise) found.then(note).catch(() => requestLog.drop("unproven"));
    else note(found);
  }

  function unprovenDetail(
    request: FastifyRequest,
    { refused }: FastifyReply,
    live: LiveKey,
  ): string {
    const { raw, body, method, headers } = request;
    const path = raw.url as string;
    const shownPath = pathOf(path);
    const { signature: header, host } = headers;
    const bytes = body instanceof Buffer ? body : undefined;
    const isSignatureAtFault = refused?.some(({ code }) => /^AUTH10[235]$/.test(code));
    const nowMs = clock();
    const hint =
      isSignatureAtFault && live.mode === "test"
        ? signatureHint(
            { key: live.key, method, path, body: bytes, host, shownPath, header: header as string },
            live.secrets
              .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
              .map(({ hmacKey }) => hmacKey),
          )
        : undefined;
    const detail = {
      ...(bytes && { bytes: bytes.length }),
      ...(hint && { signature: hint }),
    };
    return escaped(JSON.stringify(detail));
  }

  /** Of an address, the words that ours have, ids, and what the query may show. */
  function pathOf(url: string): string {
    const [path = "", query] = url.split("?", 2);
    const shown = path
      .split("/")
      .map((part) => (words.has(part) || idIn(part) !== nothing ? part : hidden))
      .join("/");
    return query === undefined ? shown : `${shown}?${redact.queryText(query)}`;
  }

  let lastIp: string | undefined;
  let lastIpShown = nothing;
  /** What a proxy reports may be no address. */
  function ipOf(ip: string | undefined): string {
    if (ip === lastIp) return lastIpShown;
    lastIp = ip;
    lastIpShown = ip && /^[0-9a-f:.]{2,45}$/i.test(ip) ? ip.replace(/^::ffff:/, "") : nothing;
    return lastIpShown;
  }

  const agents = new Map<string, string>();
  /** The program and its version, and nothing of what else it says. */
  function agentOf(agent: string | undefined): string {
    if (agent === undefined) return nothing;
    const known = agents.get(agent);
    if (known !== undefined) return known;
    const shown =
      /^[A-Za-z][A-Za-z0-9.-]{0,30}\/[0-9][A-Za-z0-9.-]{0,20}(?= |$)/.exec(agent)?.[0] ?? nothing;
    if (agents.size >= agentsKnownMax) agents.clear();
    agents.set(agent, shown);
    return shown;
  }
}

/** For a line of COPY, which is ASCII. */
function escaped(json: string): string {
  const ascii = json.replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return ascii.replaceAll("\\", "\\\\");
}

function perSecond(count: number) {
  return { perSecond: count, burst: count };
}

function idIn(text: string | undefined): string {
  const id = text?.startsWith("evt_") ? text.slice(4) : text;
  return id !== undefined && isUuid(id) ? id : nothing;
}

const idMark = 'id":"';
/** The first id of an answer is that of what was made. */
function createdId(answer: string | undefined): string {
  const mark = answer?.indexOf(idMark) ?? -1;
  if (answer === undefined || mark < 0) return nothing;
  const start = mark + idMark.length;
  const end = answer.indexOf('"', start);
  return idIn(answer.slice(start, end));
}

function codesOf(refused: readonly Problem[] | undefined): string {
  if (!refused) return nothing;
  return [...new Set(refused.map(({ code }) => code))].slice(0, codesMax).join(" ");
}
