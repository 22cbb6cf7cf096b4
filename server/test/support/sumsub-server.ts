// Sumsub on this machine: an HTTP server that follows its documentation, unless a test makes it misbehave.

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

type Json = Record<string, unknown>;

export type SumsubApplicant = {
  id: string;
  externalUserId: string;
  email: unknown;
  phone: unknown;
  reviewStatus: "init" | "pending" | "prechecked" | "queued" | "completed" | "onHold";
  reviewResult?: Json;
  fixedInfo: Json;
  /** The number of calls to create it, including those after it existed. */
  creations: number;
};

/** Its misbehaviour. Each field can be changed at any time and applies from the next request. */
export type Misbehaviour = {
  /** Cuts the connection before anything is done. */
  down: boolean;
  /** Answers with this status and does nothing. */
  status: number | undefined;
  /** Waits before it does the request, so that a later request may overtake it. */
  lateMs: number;
  /** Does the request, and waits before it responds. */
  slowMs: number;
  /** Does the request, and cuts the connection instead of responding. */
  losesAnswers: boolean;
  /** Does the request, and responds with an HTML page. */
  notJson: boolean;
  /** Does the request, and responds with 2 MiB of JSON. */
  tooLong: boolean;
  /** Does the request, and responds with another applicant. */
  answerForAnother: boolean;
  redirect: boolean;
  /** Gives this address as the link for the person. */
  link: string | undefined;
};

type SumsubSettings = {
  appToken: string;
  secretKey: string;
  webhookSecret: string;
  levelName: string;
};

export type SumsubServer = SumsubSettings & {
  baseUrl: string;
  applicants: Map<string, SumsubApplicant>;
  /** In order of arrival. A path has no query, and the status is 0 until the response. */
  calls: { method: string; path: string; status: number }[];
  /** The links for persons, by their URL, with the body that asked for them. */
  links: Map<string, Json>;
  mode: Misbehaviour;
  /** Ends an applicant's check. */
  decide(applicantId: string, reviewResult: Json): void;
  /** A signed report, ready to be sent. `extra` overrides its fields. */
  webhook(
    applicantId: string,
    type: string,
    extra?: Json,
  ): { body: Buffer; headers: Record<string, string> };
  close(): Promise<void>;
};

type Reply = { status: number; json: Json };
type Asked = { method: string; path: string; query: URLSearchParams; json: Json | undefined };

const clockSkewMaxMs = 60_000;

/** The status that an event of this type comes with. */
const statusWith: Record<string, SumsubApplicant["reviewStatus"]> = {
  applicantCreated: "init",
  applicantPending: "pending",
  applicantPrechecked: "prechecked",
  applicantReviewed: "completed",
  applicantOnHold: "onHold",
  applicantReset: "init",
};

export async function startSumsub(options: Partial<SumsubSettings> = {}): Promise<SumsubServer> {
  const settings: SumsubSettings = {
    appToken: "sbx:the-token-of-the-app",
    secretKey: "the-secret-key-of-the-app",
    webhookSecret: "the-secret-of-the-webhook",
    levelName: "basic-kyc-level",
    ...options,
  };
  const applicants: SumsubServer["applicants"] = new Map();
  const calls: SumsubServer["calls"] = [];
  const links: SumsubServer["links"] = new Map();
  const mode: Misbehaviour = {
    down: false,
    status: undefined,
    lateMs: 0,
    slowMs: 0,
    losesAnswers: false,
    notJson: false,
    tooLong: false,
    answerForAnother: false,
    redirect: false,
    link: undefined,
  };
  let baseUrl = "";

  const server = createServer((request, response) => {
    // A caller that disconnects during its request is no failure of a test.
    serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const { pathname: path, searchParams: query } = new URL(url, baseUrl);
    const body = await readBody(request);
    const call = { method, path, status: 0 };
    calls.push(call);
    if (mode.down) {
      request.socket.destroy();
      return;
    }
    if (mode.lateMs > 0) await sleep(mode.lateMs, undefined, { ref: false });
    const { status, json } =
      refuseAll() ??
      refuseStranger(settings, { method, url, headers, body }) ??
      handle({ method, path, query, json: readJson(body) });
    if (mode.losesAnswers) {
      request.socket.destroy();
      return;
    }
    call.status = status;
    // The mode of the request: it may change before a slow response is sent.
    const text = textOf(json);
    response.statusCode = status;
    response.setHeader("content-type", mode.notJson ? "text/html" : "application/json");
    if (mode.redirect) response.setHeader("location", `${baseUrl}/followed`);
    // When it is no longer slow, it also answers the waiting requests.
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < mode.slowMs) await sleep(10, undefined, { ref: false });
    response.end(text);
  }

  function refuseAll(): Reply | undefined {
    if (mode.redirect) return { status: 307, json: {} };
    return mode.status === undefined ? undefined : refuse(mode.status, "Said of Ada Lovelace");
  }

  function textOf(json: Json): string {
    if (mode.notJson) return "<html><body>Said of Ada Lovelace</body></html>";
    const isMixedUp = mode.answerForAnother && "externalUserId" in json;
    const another = isMixedUp ? { id: newId(), externalUserId: randomUUID() } : {};
    const more = mode.tooLong ? "x".repeat(2 ** 21) : undefined;
    return JSON.stringify({ ...json, ...another, more });
  }

  function handle(asked: Asked): Reply {
    const { method, path } = asked;
    if (method === "POST" && path === "/resources/applicants") return create(asked);
    if (method === "POST" && path === "/resources/sdkIntegrations/levels/-/websdkLink") {
      return link(asked);
    }
    const [, selector = "", action = ""] =
      /^\/resources\/applicants\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    const external = /^-;externalUserId=(.+)$/.exec(selector)?.[1];
    if (external === undefined && !/^[0-9a-f]{24}$/.test(selector)) {
      return refuse(400, `Invalid id '${selector}'`);
    }
    const applicant =
      external === undefined
        ? applicants.get(selector)
        : findByExternalUserId(decodeURIComponent(external));
    if (!applicant) return refuse(404, "Applicant not found");
    switch (`${method} ${action}`) {
      case "GET one":
        return { status: 200, json: shown(applicant) };
      case "GET status":
        return { status: 200, json: reviewOf(applicant) };
      case "PATCH fixedInfo":
        return change(applicant, asked.json);
      case "POST reset":
        return reset(applicant);
      default:
        return refuse(404, "HTTP 404 Not Found");
    }
  }

  function create({ query, json }: Asked): Reply {
    if (query.get("levelName") !== settings.levelName) return refuse(404, "Level not found");
    const { externalUserId, email, phone, fixedInfo = {} } = json ?? {};
    if (typeof externalUserId !== "string" || !isPerson(fixedInfo)) {
      return refuse(400, "Malformed data provided in the request");
    }
    const existing = findByExternalUserId(externalUserId);
    if (existing) {
      existing.creations += 1;
      const who = `Applicant with external user id '${externalUserId}'`;
      return refuse(409, `${who} already exists: ${existing.id}`);
    }
    const applicant: SumsubApplicant = {
      id: newId(),
      externalUserId,
      email,
      phone,
      reviewStatus: "init",
      fixedInfo,
      creations: 1,
    };
    applicants.set(applicant.id, applicant);
    return { status: 201, json: shown(applicant) };
  }

  /** An applicant that does not exist yet is created when the person opens the link. */
  function link({ json = {} }: Asked): Reply {
    const { levelName, userId, ttlInSecs = 1800, applicantIdentifiers = {} } = json;
    if (levelName !== settings.levelName) return refuse(404, "Level not found");
    const isValid =
      typeof userId === "string" && Number.isInteger(ttlInSecs) && Number(ttlInSecs) > 0;
    if (!isValid || typeof applicantIdentifiers !== "object") {
      return refuse(400, "Malformed data provided in the request");
    }
    const url = mode.link ?? `${baseUrl}/websdk/p/${randomBytes(8).toString("hex")}`;
    links.set(url, json);
    return { status: 200, json: { url } };
  }

  function findByExternalUserId(externalUserId: string): SumsubApplicant | undefined {
    return [...applicants.values()].find((one) => one.externalUserId === externalUserId);
  }

  function shown(applicant: SumsubApplicant): Json {
    const { creations, reviewStatus, reviewResult, ...own } = applicant;
    return { ...own, clientId: "disburse", type: "individual", review: reviewOf(applicant) };
  }

  function reviewOf({ reviewStatus, reviewResult }: SumsubApplicant): Json {
    const { levelName } = settings;
    return { reviewId: "IUeLG", attemptCnt: 1, levelName, reviewStatus, reviewResult };
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const applicantCalled = (id: string): SumsubApplicant => {
    const applicant = applicants.get(id);
    if (!applicant) throw new Error(`there is no applicant ${id}`);
    return applicant;
  };

  return {
    ...settings,
    baseUrl,
    applicants,
    calls,
    links,
    mode,
    decide(applicantId, reviewResult) {
      Object.assign(applicantCalled(applicantId), { reviewStatus: "completed", reviewResult });
    },
    webhook(applicantId, type, extra = {}) {
      const { externalUserId, reviewStatus, reviewResult } = applicantCalled(applicantId);
      const event = {
        applicantId,
        inspectionId: newId(),
        correlationId: `req-${randomUUID()}`,
        externalUserId,
        levelName: settings.levelName,
        type,
        sandboxMode: true,
        reviewStatus: statusWith[type] ?? reviewStatus,
        reviewResult,
        createdAtMs: new Date().toISOString().replace("T", " ").replace("Z", ""),
        ...extra,
      };
      const body = Buffer.from(JSON.stringify(event));
      return { body, headers: webhookHeaders(settings.webhookSecret, body) };
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function webhookHeaders(webhookSecret: string, body: Buffer): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-payload-digest": createHmac("sha256", webhookSecret).update(body).digest("hex"),
    "x-payload-digest-alg": "HMAC_SHA256_HEX",
  };
}

type Signed = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

function refuseStranger(
  { appToken, secretKey }: SumsubSettings,
  { method, url, headers, body }: Signed,
): Reply | undefined {
  if (headers["x-app-token"] !== appToken) return refuse(401, "App token not found");
  const seconds = String(headers["x-app-access-ts"]);
  const isTimely = Math.abs(Number(seconds) * 1000 - Date.now()) <= clockSkewMaxMs;
  if (!/^\d+$/.test(seconds) || !isTimely) return refuse(401, "Request timestamp is off");
  const signature = createHmac("sha256", secretKey)
    .update(seconds + method + url)
    .update(body)
    .digest("hex");
  if (headers["x-app-access-sig"] !== signature) return refuse(401, "Request signature mismatch");
  if (headers["content-type"] !== "application/json") return refuse(415, "Unsupported Media Type");
  return undefined;
}

function refuse(status: number, description: string): Reply {
  return { status, json: { code: status, correlationId: randomUUID(), description } };
}

function isPerson(fixedInfo: unknown): fixedInfo is Json {
  if (typeof fixedInfo !== "object" || fixedInfo === null) return false;
  const { gender = "M", dob = "1990-12-10", country = "AUS" } = fixedInfo as Json;
  return (
    /^[MF]$/.test(String(gender)) &&
    /^\d{4}-\d\d-\d\d$/.test(String(dob)) &&
    /^[A-Z]{3}$/.test(String(country))
  );
}

/** Fields that are null or missing stay unchanged. */
function change(applicant: SumsubApplicant, fields: Json = {}): Reply {
  if (!isPerson(fields)) return refuse(400, "Malformed data provided in the request");
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  Object.assign(applicant.fixedInfo, Object.fromEntries(given));
  return { status: 200, json: applicant.fixedInfo };
}

function reset(applicant: SumsubApplicant): Reply {
  if (["pending", "queued", "prechecked"].includes(applicant.reviewStatus)) {
    return refuse(409, "Applicant is being checked");
  }
  applicant.reviewStatus = "init";
  delete applicant.reviewResult;
  return { status: 200, json: { ok: 1 } };
}

const newId = () => randomBytes(12).toString("hex");

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function readJson(body: Buffer): Json | undefined {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
