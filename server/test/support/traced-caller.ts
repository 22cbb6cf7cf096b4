// A program that calls the API within a trace of its own: it makes one payout, and reports its span to the collector.
// Run as a process: node traced-caller.ts, with its settings in the environment.

import { Disburse } from "../../../client/src/index.ts";
import { formatTraceparent } from "../../src/platform/tracing/trace-context.ts";
import { openTracer } from "../../src/platform/tracing/tracer.ts";
import { newPayee } from "./payers.ts";

const { COLLECTOR = "", BASE_URL = "", API_KEY = "", API_SECRET = "", POSTBACK = "" } = process.env;
const keys = { apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: BASE_URL };
const tracer = openTracer({
  endpoint: COLLECTOR,
  resource: { "service.name": "shop" },
  log: { warn: (...words) => console.error(...words) },
});

const setUp = new Disburse(keys);
await setUp.testHelpers.fund({ amount: 1_000, currency: "AUD", reference: "shop" });
const payee = await newPayee(setUp);
await setUp.receiverAccounts.get(payee.account_id);
// Last, so that the event of the payout is the first for which its lane is claimed.
await setUp.subaccount.update({ postback_url: POSTBACK });

const span = tracer.start({ name: "check-out", kind: "client" });
const traced = new Disburse({
  ...keys,
  fetch: (url, options) => {
    const headers = new Headers(options?.headers);
    headers.set("traceparent", formatTraceparent(span.context));
    return fetch(url, { ...options, headers });
  },
});
await traced.payouts.create({ ...payee, amount: 100, currency: "AUD" });
span.end();
await tracer.close();
console.info(span.context.traceId);
