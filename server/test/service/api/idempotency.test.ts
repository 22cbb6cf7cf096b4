// Idempotency keys: a repeated request is done once and gets the same bytes. Another
// request under a used key is refused, and other calls are not affected.

import { hash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { kycProviders } from "../../../src/people/kyc-providers/providers.ts";
import { receiverCreator } from "../../../src/people/receivers/create.ts";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { noScreening } from "../../../src/people/screening/screener.ts";
import { type Caller, scopes } from "../../../src/platform/base/caller.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { deleteExpiredAnswers } from "../../../src/platform/idempotency/queries.ts";
import type { IssuedKey } from "../../../src/tenants/api-keys/create.ts";
import { createKey } from "../../support/keys.ts";
import { australian, postRequests } from "../../support/post-requests.ts";
import { openWire, requestBytes } from "../../support/raw-http.ts";
import type { Answer, TestCaller } from "../../support/service.ts";
import { ada, type CallOptions, call, sign } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const receivers = "/api/receiver";
const validation = "/api/receiveraccount/validate";

type Keyed = Omit<CallOptions, "headers"> & { path?: string };

function post(caller: TestCaller, key: string, { path = receivers, ...options }: Keyed) {
  return caller.call("POST", path, { ...options, headers: { "idempotency-key": key } });
}

/** The outcome of a call: done, replayed, or the code of its refusal. */
function outcome({ status, json, headers }: Answer): string {
  const isReplay = headers.get("idempotent-replayed") === "true";
  if (status === 200) return isReplay ? "replayed" : "done";
  expect(headers.has("idempotent-replayed")).toBe(false);
  return json.error[0].code;
}

async function rowsOf<Row>(text: string, values: unknown[]): Promise<Row[]> {
  return (await service.db.pool.query(text, values)).rows;
}

async function emailsOf({ subaccountId }: { subaccountId: string }): Promise<string[]> {
  const text = "select email from receiver where subaccount_id = $1 order by email";
  return (await rowsOf<{ email: string }>(text, [subaccountId])).map(({ email }) => email);
}

const keptOf = ({ subaccountId }: { subaccountId: string }) =>
  rowsOf<Record<"key" | "request_hash" | "answer" | "expires_at_ms", string>>(
    "select * from idempotency_key where subaccount_id = $1 order by key",
    [subaccountId],
  );

const everyVisible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

describe.each([1, 2] as const)("signed with version %i", (version) => {
  test("the same request under its key is done once and answered with the same bytes", async () => {
    const caller = await service.newCaller();
    for (const key of ["1", randomUUID(), "x".repeat(255), everyVisible.join("")]) {
      const body = ada();
      const answers: Answer[] = [];
      for (let time = 0; time < 4; time++) answers.push(await post(caller, key, { body, version }));
      expect(answers.map(outcome)).toEqual(["done", "replayed", "replayed", "replayed"]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect(await emailsOf(caller)).toHaveLength(4);
    // A response without a key has no header about replays.
    const { headers } = await caller.call("POST", receivers, { body: ada(), version });
    expect(headers.has("idempotent-replayed")).toBe(false);
  });

  test("IDEM102: another body, query or path under a used key is refused", async () => {
    const caller = await service.newCaller();
    const body = ada();
    const first = await post(caller, "order-7", { body, version });
    const others: Keyed[] = [
      { body: { ...body, first_name: "Augusta" } },
      { body: ada() },
      { raw: JSON.stringify(body, null, 1) },
      { body, path: `${receivers}?` },
      { body: australian, path: validation },
      { path: `${receivers}/${first.json.payload.receiver_id}/kyc` },
    ];
    for (const other of others) {
      const answer = await post(caller, "order-7", { ...other, version });
      expect([answer.status, outcome(answer)]).toEqual([422, "IDEM102"]);
    }
    const again = await post(caller, "order-7", { body, version });
    expect([outcome(again), again.text]).toEqual(["replayed", first.text]);
    expect(await emailsOf(caller)).toEqual([body.email]);
  });

  test("a refusal is not kept: its key is free for the same request and for another", async () => {
    const caller = await service.newCaller();
    const holder = await caller.disburse.receivers.create(ada({ email: "taken@example.com" }));
    const body = ada({ email: "taken@example.com" });
    expect(outcome(await post(caller, "same", { body, version }))).toBe("REVR201");
    expect(outcome(await post(caller, "other", { body, version }))).toBe("REVR201");
    expect((await post(caller, "other", { body: {}, version })).status).toBe(400);
    const orphan = { path: "/api/receiveraccount", body: { receiver_id: newId() }, version };
    expect((await post(caller, "other", orphan)).status).toBe(400);
    // The only stored key is the one that the client generated for the holder.
    expect(await keptOf(caller)).toHaveLength(1);

    await caller.disburse.receivers.update(holder.receiver_id, { email: "free@example.com" });
    const made = await post(caller, "same", { body, version });
    const other = ada();
    const answers = [
      made,
      await post(caller, "same", { body, version }),
      await post(caller, "other", { body: other, version }),
      await post(caller, "other", { body: other, version }),
      await post(caller, "other", { body, version }),
    ];
    expect(answers.map(outcome)).toEqual(["done", "replayed", "done", "replayed", "IDEM102"]);
    expect(answers[1]?.text).toBe(made.text);
    expect(await emailsOf(caller)).toHaveLength(3);
  });

  test("a key belongs to the subaccount and is shared by its API keys", async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()];
    const { subaccountId } = caller;
    const issued = await createKey(service, { name: "second", scopes, subaccountId });
    const { key, secret } = issued as IssuedKey;
    const second: TestCaller["call"] = (...words) =>
      call({ baseUrl: service.baseUrl, key, secret }, ...words);
    const options = { body: ada(), version, headers: { "idempotency-key": "order-7" } };

    const first = await caller.call("POST", receivers, options);
    const shared = await second("POST", receivers, options);
    expect([outcome(first), outcome(shared)]).toEqual(["done", "replayed"]);
    expect(shared.text).toBe(first.text);
    const other = { ...options, body: ada() };
    expect(outcome(await second("POST", receivers, other))).toBe("IDEM102");
    expect(outcome(await stranger.call("POST", receivers, other))).toBe("done");
    expect(outcome(await stranger.call("POST", receivers, other))).toBe("replayed");
    expect(await emailsOf(caller)).toEqual([options.body.email]);
  });

  test("after 30 days a key can be used again", async () => {
    const caller = await service.newCaller();
    const [body, later] = [ada(), ada()];
    const askedMs = Date.now();
    const first = await post(caller, "order-7", { body, version });
    const [kept] = await keptOf(caller);
    expect(kept?.answer).toBe(first.text);
    const keptMs = Number(kept?.expires_at_ms) - askedMs;
    expect(keptMs).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(keptMs).toBeLessThan(30 * 86_400_000 + 60_000);

    const expire = "update idempotency_key set expires_at_ms = $2 where subaccount_id = $1";
    await service.db.pool.query(expire, [caller.subaccountId, Date.now() + 60_000]);
    expect(outcome(await post(caller, "order-7", { body, version }))).toBe("replayed");
    await service.db.pool.query(expire, [caller.subaccountId, Date.now() - 1]);
    // Of ten concurrent calls after the expiry, one is done.
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(caller, "order-7", { body: later, version })),
    );
    expect(answers.map(outcome).sort()).toEqual(["done", ...Array(9).fill("replayed")]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(outcome(await post(caller, "order-7", { body, version }))).toBe("IDEM102");
    // A refused request that reuses an expired key does not store its refusal either.
    await service.db.pool.query(expire, [caller.subaccountId, Date.now() - 1]);
    expect(outcome(await post(caller, "order-7", { body, version }))).toBe("REVR201");
    expect(outcome(await post(caller, "order-7", { body: ada(), version }))).toBe("done");
  });
});

test("the clean-up deletes expired keys, and no other", async () => {
  const caller = await service.newCaller();
  for (const key of ["a", "b", "c"]) await post(caller, key, { body: ada() });
  const nowMs = Date.now();
  const text =
    "update idempotency_key set expires_at_ms = $3 where subaccount_id = $1 and key = $2";
  await service.db.pool.query(text, [caller.subaccountId, "a", nowMs - 1]);
  await service.db.pool.query(text, [caller.subaccountId, "b", nowMs + 1]);
  await deleteExpiredAnswers(service.db, nowMs);
  expect((await keptOf(caller)).map(({ key }) => key)).toEqual(["b", "c"]);
});

test("IDEM101: an empty, too long, repeated or non-ASCII key is refused, and nothing is stored", async () => {
  const caller = await service.newCaller();
  const body = JSON.stringify(ada());
  const bad = ["", "x".repeat(256), "two words", "a\tb", "clé", "\u00a0", "\u00ff", "a, b"];
  const named = (value: string) => ["idempotency-key", value] as const;
  const headers = [...bad.map((value) => [named(value)]), [named("a"), named("a")]];
  const wire = await openWire(service.port);
  for (const path of [receivers, validation]) {
    for (const own of headers) {
      const signature = sign({ ...caller, method: "POST", path, body });
      const signed = [
        ["x-api-key", caller.key],
        ["signature", signature],
        ["content-type", "application/json"],
      ] as const;
      wire.write(requestBytes({ method: "POST", path, headers: [...signed, ...own], body }));
      const answer = await wire.answer();
      const code = JSON.parse(answer?.text ?? "").error[0].code;
      expect([own, answer?.status, code]).toEqual([own, 400, "IDEM101"]);
    }
  }
  wire.socket.destroy();
  expect([await emailsOf(caller), await keptOf(caller)]).toEqual([[], []]);
});

test("AUTH107: a used nonce stays used, under its own key and under any other", async () => {
  const caller = await service.newCaller();
  const raw = JSON.stringify(ada());
  const signature = sign({ ...caller, method: "POST", path: receivers, body: raw, version: 2 });
  const send = (key: string) =>
    caller.call("POST", receivers, { raw, headers: { signature, "idempotency-key": key } });
  expect(outcome(await send("order-7"))).toBe("done");
  expect(outcome(await send("order-7"))).toBe("AUTH107");
  expect(outcome(await send("order-8"))).toBe("AUTH107");
  expect((await keptOf(caller)).map(({ key }) => key)).toEqual(["order-7"]);
  // Signed again it is the same request: the signature is not part of the request hash.
  expect(outcome(await post(caller, "order-7", { raw, version: 2 }))).toBe("replayed");
  expect(outcome(await post(caller, "order-8", { raw, version: 2 }))).toBe("REVR201");
});

test("GET, PATCH and DELETE ignore a key, used or malformed", async () => {
  const caller = await service.newCaller();
  const { json } = await post(caller, "order-7", { body: ada() });
  const id = json.payload.receiver_id;
  const path = `${receivers}/${id}`;
  const approval = { id, type: "kyc", status: "success" };
  await caller.call("POST", "/api/test-helpers/status", { body: approval });
  for (const key of ["order-7", "", "two words", "x".repeat(256)]) {
    const headers = { "idempotency-key": key };
    for (const city of ["Hobart", "Perth"]) {
      const changed = await caller.call("PATCH", path, { body: { city }, headers });
      expect([outcome(changed), changed.json.payload.address_data.city]).toEqual(["done", city]);
    }
    expect(outcome(await caller.call("GET", path, { headers }))).toBe("done");
    expect(outcome(await caller.call("DELETE", path, { headers }))).toBe("done");
    await caller.disburse.receivers.update(id, { status: "active" });
  }
  expect(await keptOf(caller)).toHaveLength(1);
});

/** The number of the subaccount's rows, by table. */
async function rowCounts({ subaccountId }: TestCaller): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'subaccount_id' and table_schema = current_schema()`,
    [],
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const text = `select count(*)::int as rows from ${name} where subaccount_id = $1`;
    const [found] = await rowsOf<{ rows: number }>(text, [subaccountId]);
    counts[name] = found?.rows ?? 0;
  }
  return counts;
}

test("every POST of the interface is done once under its key", async () => {
  const response = await fetch(`${service.baseUrl}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const served = Object.entries(paths).filter(
    ([path, operations]) => path.startsWith("/api/") && "post" in operations,
  );
  expect(Object.keys(postRequests).sort()).toEqual(served.map(([path]) => path).sort());

  for (const [name, prepare] of Object.entries(postRequests)) {
    const caller = await service.newCaller();
    const { takesNoKey, ...request } = await prepare(caller);
    if (takesNoKey) continue;
    const first = await post(caller, "order-7", request);
    expect([name, outcome(first)]).toEqual([name, "done"]);
    const before = await rowCounts(caller);
    const repeats = Array.from({ length: 20 }, () => post(caller, "order-7", request));
    const again = (await Promise.all(repeats)).map((answer) => [outcome(answer), answer.text]);
    expect(again).toEqual(Array(20).fill(["replayed", first.text]));
    expect(await rowCounts(caller)).toEqual(before);
    expect(before.idempotency_key).toBeGreaterThan(0);
    const other = await post(caller, "order-7", { ...request, path: `${request.path}?` });
    expect([name, outcome(other)]).toEqual([name, "IDEM102"]);
  }
});

test("an account number is stored neither in clear text nor as a hash that can be guessed", async () => {
  const caller = await service.newCaller();
  const body = {
    ...australian,
    receiver_id: (await caller.disburse.receivers.create(ada())).receiver_id,
  };
  for (const path of ["/api/receiveraccount", validation]) {
    expect(outcome(await post(caller, path, { path, body }))).toBe("done");
    const kept = (await keptOf(caller)).find(({ key }) => key === path);
    expect(JSON.stringify(kept)).not.toContain(australian.account_number);
    const guess = hash("sha256", `POST ${path}\n${JSON.stringify(body)}`);
    expect(kept?.request_hash).not.toBe(guess);
  }
});

describe("calls of one batch", () => {
  const providers = kycProviders(readConfig({}).kyc);
  type CallOptions = { key?: string; input?: NewReceiver; hash?: string; nonce?: string };

  /** All calls of one turn of the event loop are one batch. */
  async function together({ subaccountId, key, mode }: TestCaller, calls: CallOptions[]) {
    const create = receiverCreator({
      db: service.db,
      seal: service.seal,
      providers,
      screener: noScreening,
    });
    const outcomes = await Promise.allSettled(
      calls.map(({ key: name, input = ada(), hash = JSON.stringify(input), nonce }) => {
        const idempotency = name === undefined ? undefined : { key: name, requestHash: hash };
        const caller: Caller = { subaccountId, key, mode, requestId: newId(), nonce: undefined };
        if (nonce) caller.nonce = { value: nonce, expiresAtMs: Date.now() + 300_000 };
        return create({ ...caller, idempotency }, input);
      }),
    );
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") return { outcome: outcome.reason.message, body: "" };
      return { outcome: outcome.value.replayed ? "replayed" : "done", body: outcome.value.body };
    });
  }
  const outcomes = (answers: { outcome: string }[]) =>
    answers.map(({ outcome }) => outcome).join(" ");

  test("IDEM102: one key twice, with the same body and with another, does not affect other calls", async () => {
    const caller = await service.newCaller();
    const [input, other] = [ada(), ada()];
    const answers = await together(caller, [
      { nonce: "a-neighbour-with-a-nonce" },
      { key: "one", input },
      {},
      { key: "one", input },
      { key: "two", input: other },
      { key: "two", input: { ...other, first_name: "Augusta" } },
      { key: "one", input: other },
      { key: "one", input },
      { key: "three" },
    ]);
    const expected = "done done done replayed done IDEM102 IDEM102 replayed done";
    expect(outcomes(answers)).toBe(expected);
    expect(new Set([1, 3, 7].map((index) => answers[index]?.body)).size).toBe(1);
    expect(await emailsOf(caller)).toHaveLength(5);
  });

  test("REVR201: a refused call frees its key for the next call", async () => {
    const caller = await service.newCaller();
    const taken = ada();
    await together(caller, [{ input: taken }]);
    const input = ada();
    const answers = await together(caller, [
      { key: "one", input: taken },
      {},
      { key: "one", input },
      { key: "two", input: taken },
      { key: "two", input: taken },
      { key: "one", input },
      { key: "one", input: taken },
    ]);
    expect(outcomes(answers)).toBe("REVR201 done done REVR201 REVR201 replayed IDEM102");
    expect((await keptOf(caller)).map(({ key }) => key)).toEqual(["one"]);
    expect(await emailsOf(caller)).toHaveLength(3);
  });

  test("a repeat that the database refuses fails alone, and earlier calls stay done", async () => {
    const caller = await service.newCaller();
    const taken = ada();
    await together(caller, [{ input: taken }]);
    const [first, broken, ...neighbours] = await together(caller, [
      { key: "one", input: taken },
      // PostgreSQL refuses a NUL, which fails the whole statement. Validation would normally refuse it first.
      { key: "one", input: ada({ first_name: "A\u0000da" }) },
      {},
      { nonce: "a-neighbour-of-broken" },
      { key: "two" },
      { key: "three", hash: "same" },
      { key: "three", hash: "same" },
    ]);
    expect(first?.outcome).toBe("REVR201");
    expect(broken?.outcome).toMatch(/unsupported Unicode|0x00|u0000/);
    expect(outcomes(neighbours)).toBe("done done done done replayed");
    expect(await emailsOf(caller)).toHaveLength(5);
  });
});
