// 20,000 malformed requests. The response is an envelope with a known code, in time, and never a 5xx.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Code, refusals } from "../../../src/platform/refusals/refusals.ts";
import { quietMs, scale } from "../../scenarios/scale.ts";
import { brokenRequests, openWire, type RawAnswer, requestBytes } from "../../support/raw-http.ts";
import { ada, type Service, sign, startService, type TestCaller } from "../../support/service.ts";

const seed = 20_260_131;
const workers = 32;
const share = scale(1, 10) / 10;
const answerMsMax = 2_000;

let service: Service;
let caller: TestCaller;
let receiverId: string;
beforeAll(async () => {
  service = await startService();
  caller = await service.newCaller();
  receiverId = (await caller.disburse.receivers.create(ada())).receiver_id;
});
afterAll(async () => {
  await service.close();
  console.info(summary());
  // The service logs refusals only, never an internal error or an outage.
  const lines = service.logged.map((line): { level: number; status?: number } => JSON.parse(line));
  const alarming = lines.filter(({ level, status = 0 }) => level >= 40 || status >= 500);
  expect(alarming.slice(0, 5)).toEqual([]);
});

type Header = readonly [name: string, value: string];
type Shot = {
  bytes: Buffer;
  isHead: boolean;
  signed: boolean;
  /** The number of required responses; undefined if the connection may be closed without one. */
  answers: number | undefined;
};
type Draft = {
  method?: string;
  path: string;
  headers?: readonly Header[];
  body?: Buffer | string | undefined;
  version: 0 | 1 | 2;
};

function shot({ method = "GET", path, headers = [], body, version }: Draft): Shot {
  const sent = body === undefined ? {} : { body: Buffer.from(body) };
  const { key, secret } = caller;
  const credentials = (version: 1 | 2): Header[] => [
    ["x-api-key", key],
    ["signature", sign({ key, secret, method, path, version, ...sent })],
  ];
  const all = version === 0 ? headers : [...credentials(version), ...headers];
  const bytes = requestBytes({ method, path, headers: all, ...sent });
  return { bytes, isHead: method === "HEAD", signed: version !== 0, answers: 1 };
}

const version = fc.constantFrom<(0 | 1 | 2)[]>(1, 2, 1, 2, 1, 2, 1, 2, 1, 0);
/** Any of the words between the spaces. */
const anyOf = (words: string) => fc.constantFrom(...words.split(" "));
const json: Header = ["content-type", "application/json"];

// Text that databases, parsers and patterns stumble over.
const nastyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 250 }),
  fc.integer({ min: 0xd800, max: 0xdfff }).map((half) => `A${String.fromCharCode(half)}b`),
  anyOf(
    '  Ada\u0000 \u0000 \ufeffAda \u202eadA \'; -- {} {1,2} a","b \\ %00 NaN +61 ٣٤٥٦٧ 1990-02-30',
  ),
  fc.constantFrom('"\r\n\t"@example.com', " ", "@".repeat(5_000), "a.".repeat(20_000)),
  fc.constantFrom(" ".repeat(50_000), "ﬃ".repeat(100), "👩‍👩‍👧‍👦".repeat(30)),
  fc.constant(`${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.com`),
);
const nastyNumber = fc.constantFrom(0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 64);
const nastyValue = fc.oneof(
  { weight: 6, arbitrary: nastyText as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: nastyNumber },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], ["a"]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const fieldName = fc.constantFrom(...Object.keys(ada({ middle_name: "", reference: "" })));

// Many of these are good, so that the fuzz reaches the database and its indexes too.
const nearValidBody = fc
  .record({
    changes: fc.array(fc.tuple(fieldName, nastyValue), { maxLength: 3 }),
    drop: fc.option(fieldName, { freq: 4 }),
    extra: fc.option(fc.tuple(nastyText, nastyValue), { freq: 6 }),
    isLoud: fc.boolean(),
  })
  .map(({ changes, drop, extra, isLoud }) => {
    const receiver: Record<string, unknown> = ada({ reference: "r" });
    if (isLoud) receiver.email = ` ${String(receiver.email).toUpperCase()} `;
    for (const [name, value] of changes) receiver[name] = value;
    if (drop) delete receiver[drop];
    if (extra) receiver[extra[0]] = extra[1];
    return JSON.stringify(receiver);
  });

const valid = () => JSON.stringify(ada());
const oddJson = fc
  .tuple(fc.integer({ min: 1, max: 9_000 }), fc.nat({ max: 13 }))
  .map(([size, which]) =>
    [
      "[".repeat(size),
      `${"[".repeat(size)}${"]".repeat(size)}`,
      `${'{"a":'.repeat(size)}1${"}".repeat(size)}`,
      valid().replace('"Ada"', `${'{"a":'.repeat(size)}1${"}".repeat(size)}`),
      valid().replace('"61"', "9".repeat(size)),
      valid().replace('"61"', `1e${size}`),
      valid().replace("{", `{"__proto__":{"status":"active"},`),
      valid().replace("{", `{"constructor":{"prototype":{"status":"active"}},`),
      valid().replace("{", `{"first_name":"Eve","first_name":null,`),
      valid().replace("}", `,"email":"twice-${size}@example.com"}`),
      valid().replace("Ada", "\\ud83d"),
      valid().replace("Ada", "\\u0000"),
      valid().replace("Ada", "A\u0007da"),
      `{${Array.from({ length: size % 3_000 }, (_, index) => `"f${index}":${index}`).join(",")}}`,
    ].at(which),
  );

const latin1 = (name: string) => Buffer.from(valid().replace("Ada", name), "latin1");
const oddBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom<(() => Buffer)[]>(
      () => Buffer.from(`\ufeff${valid()}`),
      () => Buffer.from(valid(), "utf16le"),
      () => Buffer.from(`\ufeff${valid()}`, "utf16le"),
      () => Buffer.from(`\ufeff${valid()}`, "utf16le").swap16(),
      () => latin1("Zo\u00eb"),
      () => latin1("\u00c0\u0080"),
      () => latin1("\u00ed\u00a0\u0080"),
      () => Buffer.from(`${valid()}${valid()}`),
      () => Buffer.from(`${valid()}\u0000`),
      () => Buffer.alloc(70_000, "a"),
      () => Buffer.alloc(0),
    )
    .map((make) => make()),
);

const newReceiver = (body: Draft["body"], version: Draft["version"]) =>
  shot({ method: "POST", path: "/api/receiver", headers: [json], body, version });
const bodies = (body: fc.Arbitrary<Draft["body"]>) =>
  fc.tuple(body, version).map(([body, version]) => newReceiver(body, version));

const queryValue = fc.oneof(
  anyOf("1 1000 1001 0 -1 01 1e3 0x10 +5 1.0 NaN pending __proto__ toString %5B%5D [0]"),
  anyOf(`%00 % %zz %ff %C0%80 %F0%9F%91%A9 %2527 a+b \u00e9 ${"A".repeat(22)}`),
  fc.string({ unit: "binary", maxLength: 20 }).map(encodeURIComponent),
  fc.integer({ min: 1, max: 12_000 }).map((size) => "9".repeat(size)),
);
const queryName = fc.oneof(
  { weight: 6, arbitrary: anyOf("limit status kyc_status cursor type from") },
  { weight: 1, arbitrary: anyOf("__proto__ limit[] limit[a]  a.b %00") },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map(encodeURIComponent) },
);
const query = fc
  .array(fc.tuple(queryName, fc.constantFrom("=", "", "=="), queryValue), { maxLength: 6 })
  .map((parts) => parts.map((part) => part.join("")).join("&"));
const lists = anyOf("/api/receiver /api/receiver /api/event");
const queries = fc
  .tuple(query, version, fc.constantFrom("?", "?", "?", "?&", "??", "#", ";"), lists)
  .map(([query, version, mark, list]) => shot({ path: `${list}${mark}${query}`, version }));

const percentEncoded = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
const pathId = fc.oneof(
  anyOf(" %20 %00 % %2 %zz %ff %C0%AF .. %2e%2e . * :id receiver receiver/ receiver/%00 \u00ff"),
  anyOf("../subaccount ..%2fsubaccount %2e%2e/%2e%2e/etc/passwd a/b/c a//b null 0 -1 {} %u0041"),
  fc.uuid(),
  fc.uuid().map((id) => `%7B${id}%7D`),
  fc.uuid().map((id) => id.replaceAll("-", "")),
  fc.uuid().map((id) => `${id}%00`),
  fc.uuid().map((id) => `${id.slice(0, -1)}%EF%BC%91`),
  fc.constant("own").map(() => receiverId),
  fc.constant("own").map(() => receiverId.toUpperCase()),
  fc.constant("own").map(() => receiverId.replace(/./g, percentEncoded)),
  fc.string({ unit: "binary", maxLength: 40 }).map(encodeURIComponent),
  fc.integer({ min: 1, max: 17_000 }).map((size) => "a".repeat(size)),
  fc.integer({ min: 1, max: 5_000 }).map((size) => "%41".repeat(size)),
);
const idPrefix = anyOf(
  "/api/receiver/ /api/receiveraccount/ /api/receiveraccount/receiver/ /api/subaccount/ /api/ /api/event/ " +
    "//api/receiver/ http://127.0.0.1/api/receiver/",
);
const paths = fc
  .tuple(idPrefix, pathId, version)
  .map(([prefix, id, version]) => shot({ path: `${prefix}${id}`, version }));

const headerValue = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((at) => String.fromCharCode(at)) }),
  fc.string({ unit: fc.integer({ min: 0x80, max: 0xff }).map((at) => String.fromCharCode(at)) }),
  fc.integer({ min: 1, max: 20_000 }).map((size) => "v".repeat(size)),
);
const odd = (name: string, values: string) =>
  fc.constantFrom(...values.split("|")).map((value): Header[] => [[name, value]]);
const oddHeaders = fc.oneof(
  odd("accept", "text/html|*/*;q=0|application/json;q=0|a|,|;|*/*|q=1"),
  odd("content-type", "|;|text/plain|application/json;|application/json; charset=utf-16|a/b/c"),
  odd("content-type", "application/json;charset=utf8|APPLICATION/JSON|application/jsonx"),
  odd("content-encoding", "gzip|identity|br, gzip||x"),
  odd("expect", "100-continue|100-Continue|200-ok"),
  odd("content-length", "0|00000000000000000001|70000"),
  odd("host", "|a b|evil.example|[::1|127.0.0.1:99999"),
  odd("x-forwarded-for", "1.2.3.4|unknown|1.2.3.4:80|::1, ::2|,"),
  odd("upgrade", "websocket|h2c|TLS/1.0"),
  odd("connection", "close|upgrade|keep-alive, x|x-api-key"),
  odd("signature", "|v2|0.0|v2.1712042205773..00|NaN.00|-1.00"),
  odd("x-api-key", "|ak_test_|'; --|__proto__|\u00ff"),
  headerValue.map((value): Header[] => [["user-agent", value]]),
  headerValue.map((value): Header[] => [["x-request-id", value]]),
  headerValue.map((value): Header[] => [["cookie", value]]),
  fc
    .integer({ min: 1, max: 2_500 })
    .map((size): Header[] => Array.from({ length: size }, (_, at): Header => [`h${at}`, "1"])),
);
const headers = fc
  .tuple(fc.array(oddHeaders, { minLength: 1, maxLength: 3 }), version, fc.boolean())
  .map(([groups, version, isPost]): Shot => {
    const list = groups.flat();
    const made = isPost
      ? shot({ method: "POST", path: "/api/receiver", headers: list, body: valid(), version })
      : shot({ path: `/api/receiver/${receiverId}`, headers: list, version });
    // The server waits for the rest of a body that is shorter than its content-length, so the sender closes.
    return list.some(([name]) => name === "content-length")
      ? { ...made, answers: undefined }
      : made;
  });

const method = anyOf(
  "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PURGE QUERY SEARCH LOCK M-SEARCH SUBSCRIBE",
);
const anyPath = anyOf(
  "/api/receiver /api/receiver/x /api/receiveraccount/x /api/receiveraccount/receiver/x /readyz " +
    "/api/subaccount /api/event /api/event/x /healthz /docs /docs/page.js / * /nowhere",
);
const methods = fc
  .tuple(method, anyPath, version, fc.option(fc.constant(() => valid())))
  .map(([method, path, version, body]) =>
    shot({ method, path, version, headers: body ? [json] : [], body: body?.() }),
  );

const broken = fc
  .oneof(
    fc.constantFrom(...brokenRequests).map((text) => Buffer.from(text, "latin1")),
    fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((bytes): Shot => ({ bytes, isHead: false, signed: false, answers: undefined }));
const cutShort = fc
  .tuple(fc.double({ min: 0, max: 0.99, noNaN: true }), version)
  .map(([share, version]): Shot => {
    const whole = newReceiver(valid(), version);
    const bytes = whole.bytes.subarray(0, Math.floor(whole.bytes.length * share));
    return { ...whole, bytes, answers: undefined };
  });
const pipelined = fc
  .tuple(fc.integer({ min: 2, max: 6 }), version)
  .map(([count, version]): Shot => {
    const read = () => shot({ path: `/api/receiver/${receiverId}`, version });
    const each = Array.from({ length: count }, (_, at) =>
      at % 2 === 0 ? read() : newReceiver(valid(), version),
    );
    const bytes = Buffer.concat(each.map(({ bytes }) => bytes));
    return { bytes, isHead: false, signed: version !== 0, answers: count };
  });
const raw = fc.oneof(broken, broken, broken, cutShort, pipelined);

async function fire(shot: Shot): Promise<{ answers: RawAnswer[]; ms: number }> {
  const { bytes, isHead, answers } = shot;
  const wire = await openWire(service.port);
  const startMs = performance.now();
  const tooLate = setTimeout(() => wire.socket.destroy(), 10 * answerMsMax);
  const received: RawAnswer[] = [];
  wire.write(bytes);
  try {
    while (received.length < (answers ?? 1)) {
      // Where the request is incomplete, closing our side makes the server respond to the half it has.
      if (answers === undefined) wire.socket.end();
      const answer = await wire.answer({ isHead });
      if (!answer) break;
      received.push(answer);
    }
  } catch {
    // A reset ends the exchange. The function that fires the shots counts missing responses.
  }
  clearTimeout(tooLate);
  // A reset leaves no port in TIME_WAIT: twenty thousand requests would use up all ports.
  wire.socket.resetAndDestroy();
  return { answers: received, ms: performance.now() - startMs };
}

function problemsOf({ status, headers, text }: RawAnswer, { isHead }: Shot): string[] {
  const problems: string[] = [];
  if (status >= 500) problems.push(`status ${status}`);
  if (!headers.get("x-request-id")) problems.push("no x-request-id");
  const isJson = headers.get("content-type")?.includes("json") && !isHead;
  if (status >= 400 && !isHead && !isJson) problems.push("a refusal without its envelope");
  if (!isJson) return problems;
  const body = JSON.parse(text) as { message?: unknown; error?: { code: Code }[]; status?: string };
  if (status < 400 && typeof body.status === "string") return problems; // From /healthz or /readyz.
  if (typeof body.message !== "string") problems.push("no message");
  if (status < 400) return problems;
  if (!Array.isArray(body.error) || body.error.length === 0) problems.push("no error list");
  for (const { code } of body.error ?? []) {
    if (refusals[code]?.[0] !== status) problems.push(`${code} with status ${status}`);
  }
  return problems;
}

const counts = { requests: 0, signed: 0, answered: 0, slowestMs: 0 };
const statuses = new Map<number, number>();
const codes = new Set<string>();

/** Generates a few at a time: all at once, with their long bodies, would fill the memory. */
function* shots(kind: fc.Arbitrary<Shot>, count: number): Generator<Shot> {
  const atOnce = 250;
  for (let drawn = 0; drawn < count; drawn += atOnce) {
    const numRuns = Math.min(atOnce, count - drawn);
    yield* fc.sample(kind, { seed: seed + drawn, numRuns });
  }
}

async function fuzz(kind: fc.Arbitrary<Shot>, count: number): Promise<string[]> {
  const draw = shots(kind, count);
  const found: string[] = [];
  const work = async () => {
    for (const shot of draw) {
      const { answers, ms } = await fire(shot);
      counts.requests += 1;
      counts.signed += shot.signed ? 1 : 0;
      counts.answered += answers.length > 0 ? 1 : 0;
      counts.slowestMs = Math.max(counts.slowestMs, ms);
      const problems = answers.flatMap((answer) => problemsOf(answer, shot));
      if (ms > quietMs(answerMsMax)) problems.push(`took ${Math.round(ms)} ms`);
      if (answers.length < (shot.answers ?? 0)) problems.push("not answered");
      for (const { status, text } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        for (const [code] of text.matchAll(/\b[A-Z]{4}\d{3}\b/g)) codes.add(code);
      }
      if (problems.length > 0) {
        found.push(`${problems}: ${shot.bytes.toString("latin1").slice(0, 300)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return found;
}

test.each([
  ["receivers that are almost right", 4_000, bodies(nearValidBody)],
  ["any JSON at all", 1_000, bodies(fc.json({ maxDepth: 6 }))],
  ["JSON made to hurt", 1_500, bodies(oddJson)],
  ["bodies that are no UTF-8 JSON", 1_500, bodies(oddBytes)],
  ["queries", 3_500, queries],
  ["path ids", 3_500, paths],
  ["headers", 2_000, headers],
  ["methods", 1_000, methods],
  ["bytes that are hardly HTTP", 2_000, raw],
])(
  "%s: a request is served or refused with a known code, never with a 5xx and never slowly",
  async (_, count, kind) => {
    const [before, wanted] = [counts.requests, (count as number) * share];
    const found = await fuzz(kind as fc.Arbitrary<Shot>, wanted);
    expect(found.slice(0, 10)).toEqual([]);
    expect(counts.requests - before).toBe(wanted);
  },
);

function summary(): string {
  const counted = [...statuses].sort(([a], [b]) => a - b).map((pair) => pair.join(": "));
  return (
    `${counts.requests.toLocaleString("en")} fuzzed requests (seed ${seed}): ` +
    `${Math.round((100 * counts.signed) / counts.requests)} % signed, ${counts.answered} answered, ` +
    `${counts.requests - counts.answered} closed without an answer, slowest ${Math.round(counts.slowestMs)} ms; ` +
    `${counted.join(", ")}; ${codes.size} different codes`
  );
}

test("REVR214: an email with half a surrogate pair or a control character is refused", async () => {
  for (const local of ["ada\ud800", '"ada\r\nbcc: eve"', '"ada\u0001"']) {
    const body = ada({ email: `${local}@example.com` });
    const { json } = await caller.call("POST", "/api/receiver", { body });
    expect(json.error).toEqual([
      { code: "REVR214", message: "Email is not valid", field: "email" },
    ]);
  }
});

test("a create that is followed by garbage gets the response of the create", async () => {
  const { bytes } = newReceiver(valid(), 1);
  const wire = await openWire(service.port);
  wire.write(Buffer.concat([bytes, Buffer.from("\u0001 garbage\r\n\r\n")]));
  // The receiver is created. The response "malformed" would make an honest caller retry.
  expect((await wire.answer())?.status).toBe(200);
  wire.socket.destroy();
});
