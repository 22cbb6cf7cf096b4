// Turns an answered request into a row of the request log. For a successful read it creates no promise and keeps no
// object: most calls are such reads.

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Clock, isUuid, rateLimiter, withoutEventPrefix } from "../../platform/base/index.ts";
import { type ProcessPlace, shareOf } from "../../platform/db/index.ts";
import type { Api, ResponseFacts, ResponseObserver } from "../../platform/http/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Problem } from "../../platform/refusals/index.ts";
import type { KeyCache, LiveKey } from "../../tenants/api-keys/index.ts";
import {
  hidden,
  type Redactor,
  type RequestLog,
  redactor,
  signatureHint,
  valuesOf,
} from "../../tenants/request-log/index.ts";

type LogRequestsParts = {
  requestLog: RequestLog;
  keys: KeyCache;
  clock: Clock;
  place: ProcessPlace;
};

/** The constant part of the row, computed once per route. */
type Operation = {
  /** Method and pattern. */
  what: Uint8Array;
  hasId: boolean;
};

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** More than any single object has fields. For a batch with more problems, only their number is kept. */
const problemsMax = 40;
const rememberedMax = 10_000;

/** Must be called before the routes are registered: it collects their names and schemas. */
export function logRequests(
  app: Api,
  { requestLog, keys, clock, place }: LogRequestsParts,
): ResponseObserver {
  const names = new Set<string>();
  const words = new Set<string>();
  let redact: Redactor = redactor([], requestLog.shapeNumber);
  const [whoseOf, ipOf, agentOf] = [remembering(), remembering(), remembering()];

  app.addHook("onRoute", (route) => {
    if (!/^\/(api|operator)\//.test(route.url)) return;
    const method = [route.method].flat().join();
    const operation = { what: valuesOf(method, route.url), hasId: route.url.includes(":id") };
    route.config = { ...route.config, operation };
    // Words and fields of the published interface alone are shown.
    if (!route.url.startsWith("/api/")) return;
    for (const word of route.url.split("/")) if (!word.startsWith(":")) words.add(word);
    for (const schema of [route.schema?.body, route.schema?.querystring]) {
      const { properties = {} } = (schema ?? {}) as { properties?: object };
      for (const name of Object.keys(properties)) names.add(name);
    }
  });
  app.addHook("onReady", (done) => {
    redact = redactor(names, requestLog.shapeNumber);
    done();
  });
  app.addHook("onClose", () => requestLog.close());

  function noteProven(answered: ResponseFacts): void {
    const { request, reply } = answered;
    const isPlain = reply.statusCode < 400 && request.method === "GET";
    add(answered, request.caller, isPlain ? undefined : detailOf(request, reply));
  }

  function add(
    { request, reply, ip }: ResponseFacts,
    { subaccountId, key }: { subaccountId: string; key: string },
    detail: string | undefined,
  ): void {
    const { operation } = request.routeOptions.config;
    const { raw, params } = request;
    const url = raw.url as string;
    const named = operation?.hasId ? (params as { id?: string }).id : createdId(reply.written);
    requestLog.add({
      whose: whoseOf(key, () => valuesOf({ uuid: subaccountId }, key)),
      what: operation?.what ?? valuesOf(request.method, ""),
      ip: ipOf(ip ?? "", valueOfIp),
      agent: agentOf(request.headers["user-agent"] ?? "", valueOfAgent),
      id: request.id,
      objectId: named && idIn(named),
      tookUs: Math.round(reply.elapsedTime * 1000),
      status: reply.statusCode,
      query: operation ? queryOf(url) : pathOf(url),
      codes: codesOf(reply.refused),
      detail,
    });
  }

  function queryOf(url: string): string | undefined {
    const question = url.indexOf("?");
    return question < 0 ? undefined : redact.queryText(url.slice(question + 1));
  }

  function detailOf(
    { body, caller }: FastifyRequest,
    { refused, replayed }: FastifyReply,
  ): string | undefined {
    const parts: string[] = [];
    if (body && !(body instanceof Buffer)) parts.push(redact.bodyText(body));
    if (caller.idempotency) parts.push(`"idempotency":"${replayed ? "replayed" : "sent"}"`);
    if (refused) parts.push(`"problems":${problemsText(refused)}`);
    const left = (refused?.length ?? 0) - problemsMax;
    if (left > 0) parts.push(`"problems_left":${left}`);
    return parts.length > 0 ? `{${parts.join()}}` : undefined;
  }

  function problemsText(problems: readonly Problem[]): string {
    const pairs = problems
      .slice(0, problemsMax)
      .map(({ code, field = "" }) => [code, shown(field)]);
    return JSON.stringify(pairs);
  }

  /** An unknown field name may be personal data. */
  function shown(field: string): string {
    const [, name = ""] = /^(?:payouts\[\d{1,5}\]\.?)?(\w*)$/.exec(field) ?? [];
    const isKnown = name === "" ? field.endsWith("]") : redact.isKnown(name);
    return field === "" || isKnown ? field : hidden;
  }

  const ofAll = rateLimiter(perSecond(shareOf(limits.unprovenPerSecond, place)), clock);
  const ofKey = rateLimiter(perSecond(shareOf(limits.unprovenPerKey, place)), clock);

  /** Anyone can send a key. So lookups, and rows for one key, are limited. */
  function noteUnproven(answered: ResponseFacts): void {
    const { request, reply } = answered;
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
      add(answered, live, unprovenDetail(request, reply, live));
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
    return ascii(JSON.stringify(detail));
  }

  /** Keeps the known words of a path, ids, and the query parameters that may be shown. */
  function pathOf(url: string): string {
    const [path = "", query] = url.split("?", 2);
    const shown = path
      .split("/")
      .map((part) => (words.has(part) || idIn(part) !== undefined ? part : hidden))
      .join("/");
    return query === undefined ? shown : `${shown}?${redact.queryText(query)}`;
  }

  return (answered) => {
    const { request } = answered;
    const { subaccount, session } = request.access ?? {};
    if (request.caller) noteProven(answered);
    // What a token does for the whole company belongs to no subaccount: it is in the log of the process.
    else if (subaccount && session?.token) {
      add(answered, { subaccountId: subaccount.id, key: `token ${session.token.name}` }, undefined);
    } else if (request.raw.url?.startsWith("/api/")) noteUnproven(answered);
  };
}

/** There are few different keys, addresses and programs, so their encoded values are cached. */
function remembering() {
  const known = new Map<string, Uint8Array>();
  return (text: string, make: (text: string) => Uint8Array): Uint8Array => {
    const found = known.get(text);
    if (found) return found;
    if (known.size >= rememberedMax) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

/** A proxy may report something that is no IP address. */
function valueOfIp(ip: string): Uint8Array {
  const isAddress = /^[0-9a-f:.]{2,45}$/i.test(ip);
  return valuesOf(isAddress ? ip.replace(/^::ffff:/, "") : undefined);
}

/** The name and version of the program, without the rest of the header. */
function valueOfAgent(agent: string): Uint8Array {
  return valuesOf(/^[a-z][a-z0-9.-]{0,30}\/[0-9][a-z0-9.-]{0,20}(?= |$)/i.exec(agent)?.[0]);
}

function ascii(json: string): string {
  return json.replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function perSecond(count: number) {
  return { perSecond: count, burst: count };
}

function idIn(text: string): string | undefined {
  const id = withoutEventPrefix(text);
  return isUuid(id) ? id : undefined;
}

const idMark = 'id":"';
/** The first id of a response is that of the created object. */
function createdId(answer: string | undefined): string | undefined {
  const mark = answer?.indexOf(idMark) ?? -1;
  if (answer === undefined || mark < 0) return undefined;
  const start = mark + idMark.length;
  return answer.slice(start, answer.indexOf('"', start));
}

function codesOf(refused: readonly Problem[] | undefined): string | undefined {
  return refused && [...new Set(refused.map(({ code }) => code))].slice(0, problemsMax).join(" ");
}
