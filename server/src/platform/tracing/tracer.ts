// Spans of this process, sent to an OpenTelemetry collector as OTLP over HTTP, in JSON. Loaded only when an endpoint is
// configured. It is our own: the SDK and its exporter are 17 packages of 27 MB, for what is one POST here.
//
// Attributes are a fixed list of routes, statuses and counts: never names, addresses, bodies or keys.

import { randomBytes } from "node:crypto";
import type { TraceContext } from "./trace-context.ts";

/** As OTLP numbers them. */
const kinds = { internal: 1, server: 2, client: 3 } as const;
type Attributes = Record<string, string | number | undefined>;

type SpanStart = {
  name: string;
  kind: keyof typeof kinds;
  /** Absent: the span begins a trace. */
  parent?: TraceContext | undefined;
  /** Other spans that it serves. */
  links?: readonly TraceContext[];
};

type SpanEnd = {
  name?: string;
  hasFailed?: boolean;
  attributes?: Attributes;
  /** Where they are known only at the end. */
  links?: readonly TraceContext[];
};

export type Span = { readonly context: TraceContext; end(how?: SpanEnd): void };

export type Tracer = {
  start(span: SpanStart): Span;
  /** Sends what is left. */
  close(): Promise<void>;
};

type TracerOptions = {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string;
  /** Describe this process. */
  resource: Attributes;
  log: { warn(context: object, message: string): void };
};

const sendEveryMs = 1_000;
const sendTimeoutMs = 10_000;
/** Spans in one request, and spans that wait at most. Above it they are dropped: tracing must never use up the memory. */
const sendMax = 512;
const waitingMax = 4_096;

export function openTracer({ endpoint, resource, log }: TracerOptions): Tracer {
  let waiting: object[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  const timer = setInterval(flush, sendEveryMs).unref();

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, sendMax);
      waiting = waiting.slice(sendMax);
      try {
        await send(spans);
      } catch (error) {
        // Traces are no records: they are not sent again.
        dropped += spans.length;
        log.warn({ err: error, dropped }, "traces: the collector does not take them");
        return;
      }
    }
  }

  async function send(spans: object[]): Promise<void> {
    const body = JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: attributesOf(resource) },
          scopeSpans: [{ scope: { name: "disburse" }, spans }],
        },
      ],
    });
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`status ${response.status}`);
  }

  return {
    start({ name, kind, parent, links = [] }) {
      const startMs = performance.now();
      const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
      const context = { traceId, spanId: randomBytes(8).toString("hex") };
      return {
        context,
        end({ name: finalName = name, hasFailed = false, attributes = {}, links: found } = {}) {
          if (waiting.length >= waitingMax) {
            dropped += 1;
            return;
          }
          waiting.push({
            ...context,
            ...(parent && { parentSpanId: parent.spanId }),
            name: finalName,
            kind: kinds[kind],
            startTimeUnixNano: nanosecondsOf(startMs),
            endTimeUnixNano: nanosecondsOf(performance.now()),
            attributes: attributesOf(attributes),
            links: found ?? links,
            status: hasFailed ? { code: 2 } : {},
          });
          if (waiting.length >= sendMax) void flush();
        },
      };
    },
    async close() {
      clearInterval(timer);
      await flush();
      await flush();
    },
  };
}

function nanosecondsOf(ms: number): string {
  return String(BigInt(Math.round((performance.timeOrigin + ms) * 1000)) * 1000n);
}

function attributesOf(values: Attributes): object[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    // OTLP has whole numbers as text.
    const typed = typeof value === "number" ? { intValue: String(value) } : { stringValue: value };
    return [{ key, value: typed }];
  });
}
