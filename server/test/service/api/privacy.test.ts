// No secret and no personal data is in a log or in the response of an internal error, and encrypted fields are never
// in clear text in the database.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { rotateKey } from "../../support/keys.ts";
import { openWire, type RawAnswer, requestBytes } from "../../support/raw-http.ts";
import {
  ada,
  addAccount,
  type Service,
  sign,
  startService,
  type TestCaller,
} from "../../support/service.ts";

// Values that a search finds anywhere. The mark separates runs that share the log of one PostgreSQL.
const mark = Array.from(randomBytes(6), (byte) => "bcdfghjklm"[byte % 10]).join("");
const marked = {
  first_name: `Canaryfirst${mark}`,
  last_name: `Canarylast${mark}`,
  middle_name: `Canarymiddle${mark}`,
  email: `canary-mail-${mark}@example.com`,
  dob: "1977-07-17",
  phone: "498765321",
  address: `77 Canary Wharf ${mark}`,
  address2: `Canary Flat ${mark}`,
  city: `Canarytown ${mark}`,
  reference: `canary-reference-${mark}`,
} satisfies Partial<NewReceiver>;
const accountNumber = `99${String(randomBytes(4).readUInt32BE()).padStart(10, "7")}`;
const planted = `canary-header-${mark}`;

let service: Service;
let caller: TestCaller;
let receiverId: string;
let accountId: string;
const signatures: string[] = [];
const failures: RawAnswer[] = [];

beforeAll(async () => {
  service = await startService({ logsRequests: true });
  caller = await service.newCaller();
  const { json } = await caller.call("POST", "/api/receiver", { body: ada(marked) });
  receiverId = json.payload.receiver_id;
  accountId = await addTheAccount();
});
afterEach(expectSilence);
afterAll(async () => {
  await expectSilentPostgres();
  await service.close();
});

const addTheAccount = () => addAccount(service, caller.subaccountId, receiverId, accountNumber);

/** A signed call with a canary in every header that might be logged. */
async function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<RawAnswer | undefined> {
  const { key, secret } = caller;
  const signature = sign({ key, secret, method, path, ...(body && { body }), version: 2 });
  signatures.push(signature);
  const all = {
    "x-api-key": key,
    signature,
    "content-type": "application/json",
    "x-request-id": planted,
    "user-agent": planted,
    cookie: `session=${planted}`,
    referer: `https://example.com/?email=${marked.email}`,
    authorization: `Bearer ${secret}`,
    "x-forwarded-for": planted,
    ...headers,
  };
  const wire = await openWire(service.port);
  wire.write(requestBytes({ method, path, headers: Object.entries(all), ...(body && { body }) }));
  const answer = await wire.answer().catch(() => undefined);
  wire.socket.destroy();
  if (answer && answer.status >= 500) failures.push(answer);
  return answer;
}

const create = (changes: Partial<NewReceiver> = {}) => {
  const email = `canary-mail-${mark}-${newId()}@example.com`;
  return ask("POST", "/api/receiver", {
    body: JSON.stringify(ada({ ...marked, email, ...changes })),
  });
};

const personal = () => [
  ...Object.values(marked),
  accountNumber,
  `canary-mail-${mark}`,
  encodeURIComponent(marked.email),
  encodeURIComponent(marked.address),
];
const secrets = () => [
  caller.secret,
  caller.secret.slice(8),
  ...signatures,
  ...signatures.map((signature) => signature.split(".").at(-1) as string),
];

function leaked(text: string, canaries: string[]): string[] {
  const lower = text.toLowerCase();
  return canaries.filter((canary) => lower.includes(canary.toLowerCase()));
}

/** Neither the response of an internal error nor the log at debug level contains a canary. */
async function expectSilence(): Promise<void> {
  const log = () => service.logged.join("");
  for (const { status, headers, text } of failures.splice(0)) {
    expect(leaked(text, [...personal(), ...secrets(), planted])).toEqual([]);
    expect(text).not.toMatch(/receiver_account|relation|constraint|\bat \//);
    // The log has the failure, which shows that the search works.
    const isIt = (line: string) =>
      line.includes(`"status":${status}`) && line.includes(String(headers.get("x-request-id")));
    await expect.poll(() => service.logged.some(isIt)).toBe(true);
  }
  expect(service.logged.length).toBeGreaterThan(0);
  expect(leaked(log(), [...personal(), planted])).toEqual([]);
  expect(leaked(log(), secrets())).toEqual([]);
}

/** The log of the embedded PostgreSQL contains no canary. */
async function expectSilentPostgres(): Promise<void> {
  const { rows } = await service.db.pool.query("show data_directory");
  const file = join(dirname(rows[0].data_directory), "postgres.log");
  const log = readFileSync(file, "utf8");
  expect(leaked(log, [...personal(), ...secrets(), planted])).toEqual([]);
  console.info(
    `${service.logged.length} log lines at debug searched for ${personal().length + secrets().length} canaries`,
  );
}

const query = `email=${encodeURIComponent(marked.email)}&reference=${marked.reference}&phone=${marked.phone}`;

describe("errors of callers", () => {
  const body = JSON.stringify(ada(marked));

  test("have the expected refusal for every wrong request", async () => {
    const expected = async (status: number, answer: Promise<RawAnswer | undefined>) =>
      expect((await answer)?.status).toBe(status);

    await expected(400, create({ email: marked.email }));
    await expected(400, create({ first_name: `${marked.first_name}!` }));
    await expected(400, create({ [marked.reference]: marked.email }));
    await expected(400, ask("POST", "/api/receiver", { body: body.slice(0, -3) }));
    await expected(400, ask("POST", "/api/receiver", { body: `[${body}]` }));
    await expected(400, ask("POST", "/api/receiver", { body: Buffer.from(body, "utf16le") }));
    await expected(413, ask("POST", "/api/receiver", { body: body.repeat(300) }));
    for (const headers of [
      { "content-type": `text/${marked.reference}` },
      { "content-type": `application/json; charset=${marked.reference}` },
      { "content-encoding": marked.reference },
    ]) {
      await expected(415, ask("POST", "/api/receiver", { body, headers }));
    }
    await expected(406, ask("GET", "/api/receiver", { headers: { accept: marked.reference } }));
    await expected(400, ask("GET", `/api/receiver?${query}`));
    await expected(
      400,
      ask("GET", `/api/receiver?cursor=${marked.reference}&limit=${accountNumber}`),
    );
    await expected(400, ask("GET", `/api/receiver/${encodeURIComponent(marked.email)}`));
    await expected(400, ask("GET", `/api/receiveraccount/${accountNumber}`));
    await expected(400, ask("GET", `/api/receiver/%zz${marked.reference}`));
    await expected(404, ask("GET", `/${marked.reference}?${query}`));
    await expected(405, ask("PUT", `/api/receiver/${marked.reference}?${query}`));
    await expected(431, ask("GET", "/api/receiver", { headers: { cookie: planted.repeat(900) } }));
    await expected(200, ask("GET", `/api/receiver/${receiverId}`));
    await expected(200, ask("GET", `/api/receiveraccount/${accountId}`));
  });

  test("include requests with false credentials", async () => {
    const { key, secret } = caller;
    for (const headers of [
      { "x-api-key": "" },
      { "x-api-key": secret },
      { "x-api-key": marked.email },
      { signature: "" },
      { signature: secret },
      { signature: marked.email },
      { signature: sign({ key, secret: "guess", method: "GET", path: "" }) },
      { signature: sign({ key, secret, method: "GET", path: "", ms: 1_700_000_000_000 }) },
    ]) {
      const answer = await ask("GET", `/api/receiver/${receiverId}?${query}`, { headers });
      expect(answer?.status).toBe(401);
      expect(leaked(answer?.text ?? "", [...personal(), ...secrets()])).toEqual([]);
    }
  });

  test("include bytes that are no HTTP, and half a request", async () => {
    for (const text of [
      `${marked.email}\r\n\r\n`,
      `GET /api/receiver?${query} HTTP/9.9\r\n\r\n`,
      `GET /api/receiver?${query} HTTP/1.1\r\nsignature ${caller.secret}\r\n\r\n`,
      `POST /api/receiver HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nzz${body}`,
      `POST /api/receiver HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\ncontent-type: application/json\r\n\r\n${body}`,
    ]) {
      const wire = await openWire(service.port);
      wire.write(text);
      wire.socket.end();
      const answer = await wire.answer().catch(() => undefined);
      expect(leaked(answer?.text ?? "", [...personal(), ...secrets()])).toEqual([]);
      wire.socket.destroy();
    }
  });
});

const inDatabase = (text: string) => service.db.pool.query(text);

describe("internal errors", () => {
  const internal = (answer: RawAnswer | undefined) => {
    const id = answer?.headers.get("x-request-id");
    expect(answer?.status).toBe(500);
    expect(JSON.parse(answer?.text ?? "")).toEqual({
      message: "internal error",
      error: [{ code: "SYST500", message: `internal error, request ${id}` }],
    });
  };

  // PostgreSQL quotes the row, the key or the value in these errors, which must not reach the log.
  test.each([
    ["a check that quotes the row", "check (first_name not like 'Canary%') not valid"],
    ["a key that quotes its value", "unique (phone)"],
  ])("SYST500: %s", async (_, constraint) => {
    await inDatabase(`alter table receiver add constraint strange ${constraint}`);
    internal(await create());
    await inDatabase("alter table receiver drop constraint strange");
  });

  test.each([
    ["a cast that quotes the value", "perform new.reference::int; return new;"],
    [
      "a message with the value in it",
      "raise exception 'no %', new.email using detail = new.phone;",
    ],
  ])("SYST500: %s", async (_, code) => {
    await inDatabase(
      `create function strange() returns trigger language plpgsql as $$ begin ${code} end $$;
       create trigger strange before insert on receiver for each row execute function strange()`,
    );
    internal(await create());
    await inDatabase("drop trigger strange on receiver; drop function strange()");
  });

  test("SYST112: an account number that can't be decrypted", async () => {
    const id = await addTheAccount();
    const text = "update bank_details set account_number_sealed = 'x' where account_id = $1";
    await service.db.pool.query(text, [id]);
    const answer = await ask("GET", `/api/receiveraccount/${id}?${query}`);
    expect([answer?.status, JSON.parse(answer?.text ?? "").error]).toEqual([
      409,
      [{ code: "SYST112", message: "stored data can't be decrypted" }],
    ]);
  });

  test("SYST500: a table that does not exist", async () => {
    await inDatabase("alter table receiver_account rename to gone");
    internal(await ask("GET", `/api/receiveraccount/${accountId}?${query}`));
    await inDatabase("alter table gone rename to receiver_account");
  });

  const unavailable = (answer: RawAnswer | undefined, message: string) => {
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(JSON.parse(answer?.text ?? "")).toEqual({
      message,
      error: [{ code: "SYST503", message: "temporarily unavailable" }],
    });
  };
  const creation = "there was an error while creating a receiver";

  async function asAdministrator(work: (client: pg.Client, name: string) => Promise<unknown>) {
    const { database: name = "" } = new pg.Client({ connectionString: service.url });
    const client = new pg.Client({ ...inject("postgres"), database: "postgres" });
    await client.connect();
    await work(client, name);
    await client.end();
  }
  const terminate = (client: pg.Client, name: string) =>
    client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      name,
    ]);

  test("SYST503: the connection is lost in the middle of a write", async () => {
    const holder = new pg.Client({ connectionString: service.url });
    await holder.connect();
    await holder.query("begin; lock table receiver in access exclusive mode");
    const answer = create();
    // The lock is held until the connection is lost. Otherwise the write could still succeed.
    await asAdministrator(async (client, name) => {
      // The worker that polls for due checks also waits for the lock.
      const write = `from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'
        and query like '%nonce_expires_at_ms bigint, idempotency_key text%'`;
      await expect
        .poll(async () => (await client.query(`select ${write}`, [name])).rowCount)
        .toBeGreaterThan(0);
      await client.query(`select pg_terminate_backend(pid) ${write}`, [name]);
    });
    unavailable(await answer, creation);
    await holder.end();
  });

  test("SYST503: the database accepts no connections", async () => {
    await asAdministrator(async (client, name) => {
      await client.query(`alter database ${name} allow_connections false`);
      await terminate(client, name);
    });
    const answers = [await create(), await ask("GET", `/api/receiver/${receiverId}?${query}`)];
    await asAdministrator((client, name) =>
      client.query(`alter database ${name} allow_connections true`),
    );
    unavailable(answers[0], creation);
    unavailable(answers[1], "get receiver failed");
    expect((await ask("GET", `/api/receiver/${receiverId}`))?.status).toBe(200);
  });
});

test("the database has no API secret and no account number in clear text", async () => {
  const { key, secret } = await service.newCaller();
  const rotated = (await rotateKey(service, { key, graceMs: 1_000 })) as string;
  await addTheAccount();
  // Sends the number to every route that accepts it, with stored responses.
  const abroad = { account_type: "I", country: "USA", bank_code: "021000021" };
  const body = { ...abroad, receiver_id: receiverId, account_number: accountNumber };
  for (const path of ["/api/receiveraccount/validate", "/api/receiveraccount"]) {
    const headers = { "idempotency-key": `kept ${path}`.replaceAll(" ", "-") };
    const [first, again] = [
      await caller.call("POST", path, { body, headers }),
      await caller.call("POST", path, { body, headers }),
    ];
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  }
  const { rows: tables } = await service.db.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  let dump = "";
  for (const { name } of tables) {
    const { rows } = await service.db.pool.query(`select t::text as row from ${name} t`);
    dump += rows.map(({ row }) => row).join("\n");
  }
  // These values may be stored, which shows that the search works.
  expect(dump).toContain(marked.email);
  expect(dump).toContain(key);
  const sealed = [caller.secret, secret, rotated, accountNumber];
  const forms = sealed.flatMap((text) => [
    text,
    text.replace(/^sk_(test|live)_/, ""),
    Buffer.from(text).toString("hex"),
    Buffer.from(text).toString("base64").replace(/=+$/, ""),
    Buffer.from(text.replace(/^sk_(test|live)_/, ""), "base64url").toString("hex"),
  ]);
  console.info(`${tables.length} tables as text searched for ${forms.length} spellings of secrets`);
  expect(leaked(dump, forms)).toEqual([]);
});
