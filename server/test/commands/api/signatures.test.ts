// The signature header: which signatures are accepted, to the byte and to the millisecond.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import {
  hmacKey,
  matches,
  parseSignature,
  type Signature,
  type SignedRequest,
  signatureHeader,
  stringToSign,
} from "../../../src/platform/signatures/signature.ts";
import type { IssuedKey } from "../../../src/tenants/api-keys/create.ts";
import { revokeKey } from "../../../src/tenants/api-keys/revoke.ts";
import { command } from "../../support/commands.ts";
import { closeSubaccount, createKey } from "../../support/keys.ts";
import {
  type Answer,
  ada,
  call,
  type Service,
  sign,
  startService,
  startServiceForTest,
} from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

type Vector = Record<"api_key" | "secret" | "ms" | "signature", string> &
  Partial<Record<"nonce" | "method" | "path" | "body", string>>;
const file = new URL("../../../../client/test/signature-vectors.json", import.meta.url);
const { signatures } = JSON.parse(readFileSync(file, "utf8")) as {
  signatures: { v1: Vector[]; v2: Vector[] };
};
const vectors = [...signatures.v1, ...signatures.v2];
const codeOf = ({ json }: Answer) => json?.error?.[0]?.code;

function accepts(header: string, secret: string, asked: SignedRequest): boolean {
  const signature = parseSignature(header);
  if (!signature) return false;
  const key = hmacKey(secret);
  return matches(signature.hex, key, stringToSign(signature, asked));
}

function askedBy({ api_key, method = "GET", path = "/", body = "" }: Vector): SignedRequest {
  return { key: api_key, method, path, body: Buffer.from(body) };
}

describe("the published vectors", () => {
  test("are valid in the server's code", () => {
    for (const vector of vectors) {
      const { secret, ms, nonce, signature } = vector;
      const unsigned: Signature = nonce
        ? { version: 2, ms: Number(ms), nonce, hex: "" }
        : { version: 1, ms: Number(ms), hex: "" };
      const text = stringToSign(unsigned, askedBy(vector));
      expect(signatureHeader(unsigned, hmacKey(secret), text)).toBe(signature);
      expect(accepts(signature, secret, askedBy(vector))).toBe(true);
    }
    expect(vectors.length).toBeGreaterThanOrEqual(9);
  });

  test("are valid for `disburse sign`", async () => {
    const runs = vectors.map(async (vector) => {
      const { api_key, secret, ms, nonce, method = "GET", path = "/", body } = vector;
      const words = ["sign", method, path, "--api-key", api_key, "--ms", ms, "--json"];
      words.push("--signature-version", nonce ? "2" : "1");
      if (nonce) words.push("--nonce", nonce);
      if (body) words.push("--body", body);
      const { stdout } = await command(words, { DISBURSE_API_SECRET: secret });
      expect(JSON.parse(stdout)).toMatchObject({ signature: vector.signature });
    });
    await Promise.all(runs);
  });
});

/** The text with each byte replaced by every other value. */
function* mutations(text: string): Generator<string> {
  const bytes = Buffer.from(text);
  for (const [place, original] of bytes.entries()) {
    for (let value = 0; value < 256; value++) {
      if (value === original) continue;
      bytes[place] = value;
      yield bytes.toString("latin1");
    }
    bytes[place] = original;
  }
}

test("a changed byte of a signature, a request or a key is never accepted", () => {
  let [tried, accepted] = [0, 0];
  const check = (header: string, secret: string, asked: SignedRequest) => {
    tried += 1;
    if (accepts(header, secret, asked)) accepted += 1;
  };
  // One of each version, with a query and with a body.
  for (const vector of [signatures.v1[1], signatures.v2[0], signatures.v2[2]] as Vector[]) {
    const { signature, secret } = vector;
    const asked = askedBy(vector);
    for (const header of mutations(signature)) check(header, secret, asked);
    for (const key of mutations(asked.key)) check(signature, secret, { ...asked, key });
    for (const other of mutations(secret)) check(signature, other, asked);
    if (!vector.nonce) continue;
    for (const method of mutations(asked.method)) check(signature, secret, { ...asked, method });
    for (const path of mutations(asked.path)) check(signature, secret, { ...asked, path });
    for (const body of mutations(vector.body ?? "")) {
      check(signature, secret, { ...asked, body: Buffer.from(body, "latin1") });
    }
  }
  console.info(`${tried.toLocaleString("en")} changed signatures: ${accepted} accepted`);
  expect(tried).toBeGreaterThan(50_000);
  expect(accepted).toBe(0);
});

/** Changes each byte once, to another that HTTP allows. A path still starts with a slash. */
function neighbours(text: string): string[] {
  return Array.from(text, (sign, place) => {
    if (place === 0 && sign === "/") return `/${text}`;
    const other = sign === "1" ? "2" : sign === "a" ? "b" : /[0-9]/.test(sign) ? "1" : "a";
    return text.slice(0, place) + other + text.slice(place + 1);
  });
}

test("over HTTP only the unchanged request is served", async () => {
  const { key, secret } = await service.newCaller();
  const list = { method: "GET", path: "/api/receiver?limit=10&status=1", body: "" };
  const create = { method: "POST", path: "/api/receiver", body: JSON.stringify(ada()) };
  const signed = (asked: typeof list, version: 1 | 2) => {
    return { ...asked, key, signature: sign({ ...asked, key, secret, version }) };
  };
  type Sent = ReturnType<typeof signed>;
  const everywhere = (sent: Sent, names: (keyof Sent)[]): Sent[] =>
    names.flatMap((name) => neighbours(sent[name]).map((value) => ({ ...sent, [name]: value })));
  const whole = signed(create, 2);
  const changed = [
    ...everywhere(signed(list, 1), ["signature", "key"]),
    ...everywhere(signed(list, 2), ["signature", "key", "path"]),
    ...everywhere(whole, ["signature", "key", "path", "body"]),
    ...["HEAD", "DELETE", "OPTIONS"].map((method) => ({ ...signed(list, 2), method })),
    ...["PUT", "PATCH", "DELETE"].map((method) => ({ ...whole, method })),
  ];
  const send = async ({ method, path, body, key, signature }: Sent) => {
    const headers = { "x-api-key": key, signature };
    const target = { baseUrl: service.baseUrl, key, secret };
    const raw = body ? { raw: body } : {};
    return (await call(target, method, path, { ...raw, headers })).status;
  };
  let accepted = 0;
  const queue = changed.values();
  const work = async () => {
    for (const sent of queue) if ((await send(sent)) < 400) accepted += 1;
  };
  await Promise.all(Array.from({ length: 16 }, work));
  console.info(`${changed.length} changed requests over the wire: ${accepted} accepted`);
  expect(accepted).toBe(0);
  expect(await send(whole)).toBe(200);
});

describe("the time window", () => {
  const nowMs = 1_790_000_000_000;
  let still: Service;
  beforeAll(async () => {
    still = await startService({ clock: () => nowMs });
  });
  afterAll(() => still.close());

  const at = async (signature: (key: string, secret: string) => string) => {
    const { key, secret, call } = await still.newCaller();
    return call("GET", "/api/subaccount", { headers: { signature: signature(key, secret) } });
  };

  test.each([-300_001, -300_000, 0, 300_000, 300_001])(
    "AUTH106: a signature of %i ms from now is accepted within the window, and not beyond",
    async (aheadMs) => {
      for (const version of [1, 2] as const) {
        const asked = { method: "GET", path: "/api/subaccount", version, ms: nowMs + aheadMs };
        const answer = await at((key, secret) => sign({ key, secret, ...asked }));
        if (Math.abs(aheadMs) <= 300_000) expect(answer.status).toBe(200);
        else {
          expect([answer.status, codeOf(answer)]).toEqual([401, "AUTH106"]);
          // The message has what a caller needs to correct its clock.
          const yours = `yours is 300001 ms ${aheadMs < 0 ? "behind" : "ahead of"} it`;
          expect(answer.json.error[0].message).toContain(`our clock says ${nowMs}, ${yours}`);
        }
      }
    },
  );

  test.each([
    ["seconds", String(nowMs / 1000)],
    ["14 digits", `${nowMs}0`],
    ["a negative time", `-${nowMs}`],
    ["NaN", "NaN"],
    ["an exponent", "1.79e12"],
    ["nothing", ""],
    ["other digits", "١٧٩٠٠٠٠٠٠٠٠٠٠"],
  ])("AUTH103: %s is refused as milliseconds", async (_, ms) => {
    for (const prefix of ["", "v2."]) {
      const nonce = prefix && ".0123456789abcdef";
      const header = `${prefix}${ms}${nonce}.${"0".repeat(64)}`;
      const answer = await at(() => Buffer.from(header).toString("latin1"));
      expect([answer.status, codeOf(answer)]).toEqual([401, "AUTH103"]);
    }
  });

  test("AUTH106: a time far outside the window is reported only if the signature is valid", async () => {
    for (const ms of [1_000_000_000_000, 9_999_999_999_999]) {
      const proven = await at((key, secret) => sign({ key, secret, method: "GET", path: "", ms }));
      expect(codeOf(proven)).toBe("AUTH106");
      const made = await at((key) => sign({ key, secret: "guess", method: "GET", path: "", ms }));
      expect(codeOf(made)).toBe("AUTH105");
    }
  });
});

describe("each cause has its own code", () => {
  const refused = (answer: Answer, code: keyof typeof refusals) => {
    const [status, message] = refusals[code];
    expect(answer.json.error).toEqual([{ code, message }]);
    expect(answer.json.message).toBe("get subaccount failed");
    expect(answer.status).toBe(status);
  };
  const bare = async (headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${service.baseUrl}/api/subaccount`, { headers });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text), headers: response.headers };
  };
  const path = "/api/subaccount";

  test("AUTH101, AUTH102: a request without x-api-key or signature is refused", async () => {
    refused(await bare({ signature: "x" }), "AUTH101");
    refused(await bare({ "x-api-key": "", signature: "x" }), "AUTH101");
    refused(await bare({ "x-api-key": "x" }), "AUTH102");
    refused(await bare({ "x-api-key": "x", signature: "" }), "AUTH102");
  });

  test("AUTH103: a malformed signature is refused", async () => {
    const { key, secret, call } = await service.newCaller();
    const good = sign({ key, secret, method: "GET", path });
    for (const signature of ["x", `${good}F`, `${good}0`, `v1.${good}`, `${good}, ${good}`]) {
      refused(await call("GET", path, { headers: { signature } }), "AUTH103");
    }
    for (const nonce of ["short", "n".repeat(65), "sixteen+chars+++", "sixteen.chars.ok"]) {
      const signature = sign({ key, secret, method: "GET", path, version: 2, nonce });
      refused(await call("GET", path, { headers: { signature } }), "AUTH103");
    }
  });

  test("AUTH104: an unknown, an expired and a revoked key are refused", async () => {
    const { call: valid, key } = await service.newCaller();
    refused(await valid("GET", path, { headers: { "x-api-key": "ak_test_unknown" } }), "AUTH104");
    refused(await valid("GET", path, { headers: { "x-api-key": key.toLowerCase() } }), "AUTH104");
    const expired = await service.newCaller({ expiresAt: new Date(Date.now() - 1) });
    refused(await expired.call("GET", path), "AUTH104");
    const revoked = await service.newCaller();
    await revokeKey(service.db, revoked.key);
    refused(await revoked.call("GET", path), "AUTH104");
  });

  test("AUTH105: another key's secret is refused", async () => {
    const [{ key }, { secret }] = [await service.newCaller(), await service.newCaller()];
    const target = { baseUrl: service.baseUrl, key, secret };
    for (const version of [1, 2] as const) {
      refused(await call(target, "GET", path, { version }), "AUTH105");
    }
  });

  const createWith = (credentials: { key: string; secret: string }, nonce: string) => {
    const body = JSON.stringify(ada());
    const asked = { ...credentials, method: "POST", path: "/api/receiver", body, nonce };
    const headers = { signature: sign({ ...asked, version: 2 }) };
    const target = { baseUrl: service.baseUrl, ...credentials };
    return call(target, "POST", "/api/receiver", { raw: body, headers });
  };

  test("AUTH107: a used nonce is refused, also for another write", async () => {
    const { key, secret } = await service.newCaller();
    expect((await createWith({ key, secret }, "a-nonce-for-one-write")).status).toBe(200);
    const again = await createWith({ key, secret }, "a-nonce-for-one-write");
    expect(again.status).toBe(401);
    expect(again.json).toEqual({
      message: "there was an error while creating a receiver",
      error: [{ code: "AUTH107", message: "nonce has been used before" }],
    });
  });

  test("a nonce may be repeated on a read, and on a write with another key of the same subaccount", async () => {
    const { key, secret, subaccountId, call } = await service.newCaller();
    const nonce = "the-same-nonce-for-both";
    const signature = sign({ key, secret, method: "GET", path, version: 2, nonce });
    for (let time = 0; time < 3; time++) {
      expect((await call("GET", path, { headers: { signature } })).status).toBe(200);
    }
    const request = { subaccountId, name: "second", scopes: ["write"] } as const;
    const second = (await createKey(service, request)) as IssuedKey;
    for (const credentials of [
      { key, secret },
      { key: second.key, secret: second.secret },
    ]) {
      expect((await createWith(credentials, nonce)).status).toBe(200);
    }
  });

  test("AUTH108: version 1 is refused for a key that requires version 2", async () => {
    const { call } = await service.newCaller({ version2Only: true });
    refused(await call("GET", path, { version: 1 }), "AUTH108");
    expect((await call("GET", path, { version: 2 })).status).toBe(200);
  });

  test("AUTH110: each scope allows its own operations and no other", async () => {
    const reader = await service.newCaller({ scopes: ["read"] });
    expect((await reader.call("GET", path)).status).toBe(200);
    const written = await reader.call("POST", "/api/receiver", { body: ada() });
    expect([written.status, codeOf(written)]).toEqual([403, "AUTH110"]);
    const writer = await service.newCaller({ scopes: ["write"] });
    expect((await writer.call("POST", "/api/receiver", { body: ada() })).status).toBe(200);
    refused(await writer.call("GET", path), "AUTH110");
    const payer = await service.newCaller({ scopes: ["payout"] });
    refused(await payer.call("GET", path), "AUTH110");
  });

  test("SUBA101: a closed subaccount is not found by any operation", async () => {
    const { call, subaccountId } = await service.newCaller();
    expect((await call("GET", path)).status).toBe(200);
    await closeSubaccount(service.db, subaccountId);
    // A process may take a moment to notice.
    await expect.poll(async () => (await call("GET", path)).status).toBe(400);
    const reads = ["receiver", "receiver/x", "receiveraccount/x", "receiveraccount/receiver/x"];
    const answers = [
      await call("POST", "/api/receiver", { body: ada() }),
      ...(await Promise.all([...reads, "subaccount"].map((name) => call("GET", `/api/${name}`)))),
    ];
    for (const { status, json } of answers) {
      expect(status).toBe(400);
      expect(json.error).toEqual([{ code: "SUBA101", message: "SubAccount not found" }]);
    }
  });
});

describe("AUTH109: a key with an address list", () => {
  let behindProxy: Service;
  beforeAll(async () => {
    behindProxy = await startService({ trustProxy: ["127.0.0.1"] });
  });
  afterAll(() => behindProxy.close());

  test.each([
    { listed: "203.0.113.7", from: "203.0.113.7", taken: true },
    { listed: "203.0.113.7", from: "203.0.113.8", taken: false },
    { listed: "203.0.113.7", from: "::ffff:203.0.113.7", taken: true },
    { listed: "203.0.113.0/24", from: "203.0.113.255", taken: true },
    { listed: "203.0.113.0/24", from: "203.0.114.0", taken: false },
    { listed: "203.0.113.0/24", from: "::ffff:203.0.113.1", taken: true },
    { listed: "::ffff:203.0.113.7", from: "203.0.113.7", taken: true },
    { listed: "::ffff:203.0.113.0/120", from: "203.0.113.9", taken: true },
    { listed: "::ffff:203.0.113.0/120", from: "203.0.114.9", taken: false },
    { listed: "2001:db8::/32", from: "2001:db8:ffff::1", taken: true },
    { listed: "2001:db8::/32", from: "2001:db9::1", taken: false },
    { listed: "2001:db8::1", from: "2001:DB8:0:0:0:0:0:1", taken: true },
    { listed: "0.0.0.0/0", from: "2001:db8::1", taken: false },
    { listed: "10.0.0.0/8", from: "unknown", taken: false },
    { listed: "10.0.0.0/8", from: "10.0.0.1:52814", taken: false },
  ])("$listed: a caller from $from is accepted: $taken", async ({ listed, from, taken }) => {
    const { call } = await behindProxy.newCaller({ addresses: [listed] });
    const headers = { "x-forwarded-for": from };
    for (const version of [1, 2] as const) {
      const answer = await call("GET", "/api/subaccount", { headers, version });
      expect([answer.status, codeOf(answer)]).toEqual(taken ? [200, undefined] : [403, "AUTH109"]);
    }
  });

  test("uses x-forwarded-for only from a trusted proxy", async () => {
    const { call } = await service.newCaller({ addresses: ["203.0.113.7"] });
    const headers = { "x-forwarded-for": "203.0.113.7" };
    expect(codeOf(await call("GET", "/api/subaccount", { headers }))).toBe("AUTH109");
  });
});

test("AUTH104: a key is refused from its expiry, also if it is cached", async () => {
  let nowMs = Date.now();
  const moving = await startServiceForTest({ clock: () => nowMs });
  const { key, secret, call } = await moving.newCaller({ expiresAt: new Date(nowMs + 10_000) });
  const at = () => {
    const signature = sign({ key, secret, method: "GET", path: "", ms: nowMs });
    return call("GET", "/api/subaccount", { headers: { signature } });
  };
  expect((await at()).status).toBe(200);
  nowMs += 9_999;
  expect((await at()).status).toBe(200);
  nowMs += 1;
  expect(codeOf(await at())).toBe("AUTH104");
});
