// Traces: a collector sees one trace over a caller, the API and the worker that delivers; without an endpoint there are none.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { batch } from "../../../src/platform/batching/batch.ts";
import { formatTraceparent, readTraceparent } from "../../../src/platform/tracing/trace-context.ts";
import { openTracer } from "../../../src/platform/tracing/tracer.ts";
import { exampleCaller, serve } from "../../support/process.ts";
import { startSink } from "../../support/sink.ts";

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
};
type Attribute = OtlpSpan["attributes"][number];
type Otlp = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
};

/** A collector is an HTTP server that takes JSON at /v1/traces. */
async function startCollector() {
  const sink = await startSink((_received, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  onTestFinished(sink.close);
  const spans = () =>
    sink.received
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => (JSON.parse(body) as Otlp).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, resource })),
      );
  const text = () => sink.received.map(({ body }) => body).join("\n");
  return { url: sink.url("").replace(/\/$/, ""), spans, text };
}

const caller = join(import.meta.dirname, "..", "..", "support", "traced-caller.ts");

test("a collector sees one trace over the caller, the API and the worker that delivers", async () => {
  const collector = await startCollector();
  const endpoint = await startSink();
  onTestFinished(endpoint.close);
  const dataDir = mkdtempSync(join(tmpdir(), "disburse-tracing-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const environment = { DATA_DIR: dataDir, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const api = await serve(environment, ["--role", "api"]);
  onTestFinished(async () => void (await api.end()));
  const worker = await serve({ ...environment, ADMIN_PORT: "0" }, ["--role", "worker"]);
  onTestFinished(async () => void (await worker.end()));
  const { key, secret } = exampleCaller(api);

  const { stdout } = await promisify(execFile)(process.execPath, [caller], {
    env: {
      PATH: process.env.PATH,
      COLLECTOR: collector.url,
      BASE_URL: api.baseUrl,
      API_KEY: key,
      API_SECRET: secret,
      POSTBACK: endpoint.url("/events"),
    },
  });
  const traceId = stdout.trim();
  const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId);
  await expect.poll(() => ofTrace().length, { timeout: 20_000 }).toBe(6);

  const named = (name: string) => ofTrace().find((span) => span.name === name);
  const [shop, request, statement, delivery, record, release] = [
    named("check-out"),
    named("POST /api/payout/single"),
    named("payouts-create"),
    named("POST webhook endpoint"),
    named("deliveries-record"),
    named("lanes-release"),
  ];
  expect(request?.parentSpanId).toBe(shop?.spanId);
  expect(statement?.parentSpanId).toBe(request?.spanId);
  expect(delivery?.parentSpanId).toBe(request?.spanId);
  expect(record?.parentSpanId).toBe(request?.spanId);
  expect(release?.parentSpanId).toBe(request?.spanId);
  // The caller created a receiver and its account before, which was not part of its trace.
  const all = () => collector.spans();
  const created = all().find(({ name }) => name === "POST /api/receiver");
  const insertion = all().find(({ name }) => name === "receivers-create");
  expect(insertion).toMatchObject({ traceId: created?.traceId, parentSpanId: created?.spanId });
  // Statements that serve one request: those of the account within their transaction, and a read on its own.
  const pathOf = (statement: string) => {
    const path = [];
    for (let span = all().find(({ name }) => name === statement); span; ) {
      const { parentSpanId, name } = span;
      path.unshift(name);
      span = all().find(({ spanId }) => spanId === parentSpanId);
    }
    return path;
  };
  const creation = ["POST /api/receiveraccount", "transaction"];
  expect(pathOf("account-insert")).toEqual([...creation, "account-insert"]);
  expect(pathOf("account-receiver")).toEqual([...creation, "account-receiver"]);
  expect(pathOf("account-by-id")).toEqual(["GET /api/receiveraccount/:id", "account-by-id"]);
  expect(pathOf("keys-load")).toEqual(["POST /api/test-helpers/fund", "keys-load"]);
  // The statements that claim lanes and read due deliveries serve many traces.
  for (const shared of ["lanes-claim", "deliveries-due"]) {
    await expect
      .poll(() => all().filter(({ name }) => name === shared))
      .toContainEqual(expect.objectContaining({ links: [expect.objectContaining({ traceId })] }));
  }
  const attributeOf = (attributes: Attribute[] = [], name: string) => {
    const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {};
    return stringValue ?? intValue;
  };
  const processOf = (span: typeof request) => attributeOf(span?.resource.attributes, "process.pid");
  expect(processOf(request)).toBe(String(api.process.pid));
  expect(processOf(delivery)).toBe(String(worker.process.pid));
  expect(attributeOf(delivery?.attributes, "http.response.status_code")).toBe("204");

  // The receiver of the webhook can go on with the trace.
  const headers = endpoint.received.map((received) => received.headers.traceparent);
  expect(headers).toContain(delivery && formatTraceparent(delivery));
  for (const hidden of [key, secret, "12345999", "@", "whsec_"]) {
    expect(collector.text()).not.toContain(hidden);
  }
}, 60_000);

test("a statement of several requests is a child of the first, with links to the others", async () => {
  const collector = await startCollector();
  const log = { warn: () => {} };
  const tracer = openTracer({ endpoint: collector.url, resource: {}, log });
  const requests = [1, 2, 3].map(() => tracer.start({ name: "request", kind: "server" }).context);
  const span = { tracer, name: "payouts-find" };
  const find = batch(async (calls: number[]) => calls.map((one) => one * 10), undefined, { span });
  const answers = [...requests, undefined].map((trace, index) => find(index, trace));
  expect(await Promise.all(answers)).toEqual([0, 10, 20, 30]);
  // Without a trace there is no span.
  expect(await find(7)).toBe(70);
  await tracer.close();
  const [first, ...others] = requests;
  expect(collector.spans()).toMatchObject([
    { name: "payouts-find", traceId: first?.traceId, parentSpanId: first?.spanId, links: others },
  ]);
});

test("a collector that does not answer stops nothing", async () => {
  const warnings: string[] = [];
  const log = { warn: (_context: object, message: string) => void warnings.push(message) };
  const tracer = openTracer({ endpoint: "http://127.0.0.1:9", resource: {}, log });
  tracer.start({ name: "request", kind: "server" }).end();
  await tracer.close();
  expect(warnings).toEqual(["traces: the collector does not take them"]);
});

test.each([
  ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "taken"],
  ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", "ignored"],
  ["00-00000000000000000000000000000000-b7ad6b7169203331-01", "none"],
  ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "none"],
  ["00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "none"],
  ["'; drop table event --", "none"],
])("traceparent %s is %s", (header, outcome) => {
  const read = readTraceparent(header);
  const found = read === "ignored" ? "ignored" : read ? "taken" : "none";
  expect(found).toBe(outcome);
  if (read && read !== "ignored") expect(formatTraceparent(read)).toBe(header);
});
