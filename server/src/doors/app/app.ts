// Assembles the HTTP service: limits, authentication, routes, failures.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, {
  type FastifyContextConfig,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { payoutCreator } from "../../money/payouts/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import { personLinkMaker } from "../../people/kyc/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import { receiverCreator, receiverFinder } from "../../people/receivers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import {
  type Caller,
  type Clock,
  newId,
  type RateLimit,
  rateLimiter,
  systemClock,
  type TokenExchange,
} from "../../platform/base/index.ts";
import { type Batching, batchingAt } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import {
  type Api,
  accepts,
  type BatchTurn,
  batchTurns,
  bodyGate,
  countResponse,
  discardBody,
  isLargeBody,
  logResponse,
  methodsByPath,
  observeResponses,
  readBody,
  sendFailure,
  sendFailureOnSocket,
  serializerCompiler,
  toRefusal,
  traceRequests,
  validatorCompiler,
  wantsCsv,
  wantsPdf,
} from "../../platform/http/index.ts";
import { useNonceOfRefused } from "../../platform/idempotency/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { defaultRetention, type Retention } from "../../platform/retention/index.ts";
import { keyCache } from "../../tenants/api-keys/index.ts";
import type { RequestLog } from "../../tenants/request-log/index.ts";
import { eventFeeds } from "../../webhooks/events/index.ts";
import {
  accountRoutes,
  endpointRoutes,
  eventRoutes,
  fundingRoutes,
  keyCommandRoutes,
  ledgerRoutes,
  payoutRoutes,
  privacyRoutes,
  receiverRoutes,
  sandboxRoutes,
  subaccountRoutes,
  verificationRoutes,
  webhookEndpointRoutes,
} from "../api/index.ts";
import { type ConsoleParts, consoleAddress, registerConsole } from "../console/index.ts";
import { type RunCommand, registerOperator } from "../operator/index.ts";
import { healthRoutes, quarantineReasons, refuseWrites } from "../process/index.ts";
import { authenticator } from "./authenticate.ts";
import { isOfOtherBuild, pageInstead, registerConsolePages } from "./console-pages.ts";
import { registerDocs } from "./docs.ts";
import { logRequests } from "./log-requests.ts";
import { registerOpenApi } from "./openapi.ts";
import { operatorDocument, registerOperatorDocument } from "./operator-document.ts";
import { receiveCalls } from "./receive-calls.ts";
import { readSamples } from "./samples/sample.ts";
import type { ApiDocument } from "./site/operation-pages.ts";
import { registerSite } from "./site/routes.ts";
import { createSite } from "./site/site.ts";

export type AppOptions = {
  db: Db;
  seal: Seal;
  log: Log;
  signatureWindowMs: number;
  rateLimit: RateLimit;
  trustProxy?: string[];
  clock?: Clock;
  batching?: Batching;
  kyc: KycProviders;
  rails: RailDirectory;
  screener: Screener;
  /** Called after a commit that may have left work for a background worker. */
  onKycDue?: () => void;
  onPayoutDue?: () => void;
  /** Where events may be sent. Absent: to public addresses only. */
  postbackAddresses?: AddressPolicy;
  /** Where events are sent from, for callers to know. */
  webhookSources?: readonly string[];
  /** Address of the console. Absent: localhost with the port of the service. */
  consoleUrl?: string | undefined;
  /** Identity provider for single sign-on. */
  oidc?: ConsoleParts["oidc"];
  /** This process closes its connections. */
  isDraining?: () => boolean;
  /** Absent: the service ends when this process does. */
  isEnding?: (() => boolean) | undefined;
  /** With other processes of the service, for the rate limit of this name. */
  tokensOf?: ((name: string) => TokenExchange) | undefined;
  /** Absent: requests are not logged to the database. */
  requestLog?: RequestLog | undefined;
  /** Absent: the days of the table. */
  retention?: Retention;
  /** Where ends of the audit log are stored. */
  auditAnchorFile?: string | undefined;
  /** The cell of this installation. Absent: the default cell. */
  cell?: string;
  metrics?: Metrics | undefined;
  /** Runs a command of the command line for a user. */
  runCommand?: RunCommand | undefined;
  /** Only reads are answered. */
  isQuarantined?: boolean;
};

export async function buildApp(options: AppOptions): Promise<Api> {
  const { db, seal, log, clock = systemClock, isDraining = () => false, tokensOf } = options;
  const { batching = batchingAt(db.place), isEnding = isDraining, isQuarantined } = options;

  const app: Api = fastify({
    loggerInstance: withoutChildren(log) as Api["log"],
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      // Node would refuse a missing host with a bare 400; the hook below does it in the envelope.
      requireHostHeader: false,
    },
    trustProxy: options.trustProxy?.length ? options.trustProxy : false,
    routerOptions: { maxParamLength: limits.pathParameterCharsMax },
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: sendFailure,
    clientErrorHandler: sendFailureOnSocket,
  }).withTypeProvider<TypeBoxTypeProvider>();

  const { tracer } = db.listeners;
  if (tracer) traceRequests(app, tracer);

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  /** A page from before an update may send what this version does not know. */
  const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status } = toRefusal(error, request.id);
    const isForm = status === 400 || status === 405 || (status === 404 && request.is404);
    const isOld = isForm && isOfOtherBuild(request);
    sendFailure(isOld ? new Refusal("CONS111") : error, request, reply);
  };
  app.setErrorHandler((error, request, reply) => {
    const { caller, method, id } = request;
    const isRead = method === "GET" || method === "HEAD" || request.routeOptions.config?.isDryRun;
    const isDecided = () => ![429, 503].includes(toRefusal(error, id).status);
    if (!caller?.nonce || isRead || !isDecided()) return answerFailure(error, request, reply);
    void useNonceOfRefused(db, caller)
      .catch((failure) =>
        log.warn({ err: failure }, "the nonce of a refused request could not be stored"),
      )
      .then(() => sendFailure(error, request, reply));
    return reply;
  });
  app.decorateRequest("caller", null as unknown as Caller);
  app.decorateRequest("batchTurn", null as unknown as BatchTurn);
  app.decorateReply("written", undefined);
  app.decorateReply("replayed", false);
  app.decorateReply("refused", undefined);

  // The body stays bytes until its signature is verified: no unauthenticated JSON is parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", readBody);

  function notFound({ raw, method }: FastifyRequest): Refusal {
    const methods = methodsOf(raw.url ?? "");
    // A file route with the right method may still find no file.
    const isWrong = methods.length > 0 && !methods.includes(method);
    return isWrong
      ? new Refusal("SYST102", { headers: { allow: methods.join(", ") } })
      : new Refusal("SYST101");
  }

  const { postbackAddresses: addresses = "public", webhookSources: sources = [] } = options;
  const methodsOf = methodsByPath(app);
  const keys = keyCache({ db, seal, clock, log });
  const { signatureWindowMs: windowMs, cell = "", metrics } = options;
  const onMisrouted = (requestId: string, otherCell: string) => {
    metrics?.misroutedRequest();
    log.warn({ request_id: requestId, cell, key_cell: otherCell }, "an API key of another cell");
  };
  const { authenticate, admit } = authenticator({ keys, clock, windowMs, cell, onMisrouted });
  const gate = bodyGate({ admit, userOf: ({ access }) => access?.user.id });
  const take = rateLimiter(options.rateLimit, clock, tokensOf?.("requests"));
  const takeRows = rateLimiter(rowRate(options.rateLimit), clock, tokensOf?.("rows"));
  const { place } = db;
  const batches = batchTurns(place);

  app.addHook("onRoute", (route) => {
    const methods = [route.method].flat();
    if (methods.some((method) => method !== "GET" && method !== "HEAD")) route.preParsing = gate;
  });

  app.addHook("onRequest", (request, reply, done) => {
    const { id, headers, raw, routeOptions } = request;
    reply.header("x-request-id", id).header("x-content-type-options", "nosniff");
    // No proxy or browser may cache it. sendFailure sets the same for failures.
    if (raw.url?.startsWith("/api/")) reply.header("cache-control", "no-store");
    if (request.is404 && isLargeBody(headers)) {
      discardBody(request, reply);
      return done(notFound(request));
    }
    if (headers.host === undefined && raw.httpVersion === "1.1") done(new Refusal("SYST106"));
    else if (!isAcceptable(routeOptions.config, headers.accept)) done(new Refusal("SYST103"));
    else done();
  });

  if (isQuarantined) app.addHook("onRequest", refuseWrites);

  // Checked when the response is sent, so that a slow response closes its connection too.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done(null, payload);
  });

  receiveCalls(app, { authenticate, seal, batches, take, takeRows });

  const { requestLog } = options;
  const observers = [logResponse(log)];
  if (metrics) observers.push(countResponse(metrics));
  if (requestLog) observers.push(logRequests(app, { requestLog, keys, clock, place }));
  observeResponses(app, observers);

  app.addHook("onClose", () => keys.close());

  const findReceiver = receiverFinder({ db, seal }, batching);
  const { kyc: providers, screener, onKycDue: onDue } = options;
  const createReceiver = receiverCreator({ db, seal, providers, screener, batching, onDue });

  const tokens = tokensOf?.("links");
  const makePersonLink = personLinkMaker({ db, seal, clock, providers, log, tokens });

  const { rails, runCommand, onPayoutDue, retention = defaultRetention } = options;
  const createPayout = payoutCreator({ db, rails, batching, onDue: onPayoutDue });
  const commandParts = { db, seal, clock, rails, providers, screener, isDraining };

  const feeds = eventFeeds({
    db,
    clock,
    isDraining,
    isLive: async (name) => {
      const key = await keys.find(name);
      const nowMs = clock();
      // The feed of a subaccount that moves goes on in the other cell, when the client connects again.
      if (!key || key.closed || key.movesUntilMs > nowMs) return false;
      return key.expiresAtMs > nowMs && key.scopes.has("read");
    },
    onError: (error) => log.warn({ err: error }, "event feeds"),
  });
  db.listeners.eventListeners.add(feeds.wake);
  app.addHook("onClose", () => {
    db.listeners.eventListeners.delete(feeds.wake);
    return feeds.close();
  });

  await registerOpenApi(app);
  await registerDocs(app as never);
  await app.register(async (routes: Api) => {
    const finding = { findReceiver, createReceiver };
    const receiverParts = { db, seal, clock, providers, ...finding, screener, onDue };
    receiverRoutes(routes, receiverParts);
    verificationRoutes(routes, { db, clock, providers, cell, makePersonLink });
    privacyRoutes(routes, { db, seal, clock, retention });
    accountRoutes(routes, { db, seal, findReceiver, screener });
    ledgerRoutes(routes, { db, clock });
    fundingRoutes(routes, { db, seal });
    payoutRoutes(routes, { db, clock, rails, createPayout, onDue: onPayoutDue });
    sandboxRoutes(routes, { db, clock });
    subaccountRoutes(routes, { db });
    eventRoutes(routes, { db, clock, feeds });
    endpointRoutes(routes, { db, seal, clock, addresses });
    webhookEndpointRoutes(routes, { db, seal, clock, addresses, sources });
    if (runCommand) keyCommandRoutes(routes, commandParts, runCommand);
    const otherReasons = () => quarantineReasons(isQuarantined);
    healthRoutes(routes, { db, isDraining: isEnding, otherReasons });
  });

  const { consoleUrl, oidc } = options;
  const consoleRoutes = await registerConsole(app, {
    db,
    auditAnchorFile: options.auditAnchorFile,
    seal,
    clock,
    retention,
    log,
    isDraining,
    consoleUrl,
    oidc,
    addresses,
    providers,
    makePersonLink,
    screener,
    onDue,
    rails,
    onPayoutDue,
    isQuarantined,
  });
  const takeOfTokens = rateLimiter(options.rateLimit, clock, tokensOf?.("operator"));
  const consoleAt = () => consoleAddress(app, consoleUrl).url();
  const operator = {
    ...{ ...commandParts, take: takeOfTokens },
    consoleUrl: consoleAt,
    runCommand,
  };
  const operatorRoutes = await registerOperator(app, consoleRoutes, operator);
  registerOperatorDocument(app, operatorRoutes);
  registerSite(app as never, () =>
    createSite({
      api: app.swagger() as unknown as ApiDocument,
      operator: operatorDocument(operatorRoutes) as unknown as ApiDocument,
      samples: { api: readSamples(), operator: readSamples("operator") },
    }),
  );
  await registerConsolePages(app as never);

  // Node handles 100-continue. It would refuse any other expectation with a bare 417.
  app.server.on("checkExpectation", (request, response) => {
    delete request.headers.expect;
    app.server.emit("request", request, response);
  });

  app.setNotFoundHandler((request, reply) => {
    const refusal = notFound(request);
    const page = refusal.status === 405 ? undefined : pageInstead(request as never, reply as never);
    if (page) return page;
    answerFailure(refusal, request, reply);
  });

  return app;
}

/**
 * One logger for all requests: a child for each would cost more than the requests that log. Fastify checks the logger of a
 * `childLoggerFactory` at each request, so the logger is its own child instead.
 */
function withoutChildren(log: Log): Log {
  const logger: Log = Object.create(log);
  logger.child = (() => logger) as unknown as Log["child"];
  return logger;
}

/** Payout batches are charged by their rows. The rate follows from that of calls. */
function rowRate({ perSecond }: RateLimit): RateLimit {
  return { perSecond: perSecond * limits.rowsPerCall, burst: limits.payoutBatchMax };
}

/** Operations answer in JSON, some in CSV or PDF as well, and the feed as a stream of events. */
function isAcceptable(
  { scope, csv, pdf, stream }: FastifyContextConfig,
  accept: string | undefined,
): boolean {
  if (stream) return accepts(accept, "text/event-stream");
  if (!scope || accepts(accept, "application/json")) return true;
  return (csv === true && wantsCsv(accept)) || (pdf === true && wantsPdf(accept));
}
