// disburse events listen, in its own process, beside a service that is killed and restarted.

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { insertTestEvent } from "../../../src/webhooks/events/create-test.ts";
import type { TestEvent } from "../../../src/webhooks/events/schema.ts";
import { command } from "../../support/commands.ts";
import { freePort } from "../../support/free-port.ts";
import { createKey } from "../../support/keys.ts";
import { begin, type Running, type Serving, serve } from "../../support/process.ts";
import { newDatabase, settingsOf } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";

let database: Awaited<ReturnType<typeof newDatabase>>;
let subaccountId: string;
let environment: Record<string, string>;
let serving: Serving;
let sink: Sink;
let listener: Running;
let before: string;
let afterHanging: string;
const hanging = newId();

beforeAll(async () => {
  database = await newDatabase();
  ({ subaccountId } = await createSubaccount(database, { name: "Only", mode: "test" }));
  environment = {
    ...settingsOf(database),
    ...{ PORT: String(await freePort()), ADMIN_PORT: "0" },
  };
  sink = await startSink(({ body }, response) => {
    const { event, reference } = JSON.parse(body);
    if (reference === "hang") return;
    if (reference === "moved") response.writeHead(302, { location: "/elsewhere" }).end();
    else if (event !== "payoutFailure") response.writeHead(204).end();
    else response.writeHead(500).end("no such table\r\n\u001b[2Jgone");
  });
  before = await trigger("payoutCreated");
  serving = await serve(environment);
  listener = await listen();
  // Before all tests, because the first event hangs until its timeout. Without commands: each takes seconds to start on a
  // busy machine, and the last event must come before that timeout.
  await insert({ type: "payoutCreated", set: { payout_id: hanging, reference: "hang" } });
  await insert({ type: "payoutUpdate", set: { payout_id: hanging } });
  afterHanging = (await insert({ type: "payoutUpdate", set: {} })).id;
});
afterAll(async () => {
  await Promise.all([listener?.end("SIGKILL"), serving?.end()]);
  await sink.close();
  await database.db.close();
});

function insert(event: TestEvent) {
  return database.db.transaction((tx) => insertTestEvent(tx, subaccountId, event, Date.now()));
}

function listen(): Promise<Running> {
  const forward = ["--forward-to", `${sink.url("/hook")}?token=t`];
  const words = ["events", "listen", ...forward, "--print-body"];
  return begin(words, environment, ({ stderr }) => stderr.includes("Listening to"));
}

async function run(...words: string[]) {
  const { code, stdout, stderr } = await command(["events", ...words, "--json"], environment);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** Returns the id of the event. */
async function trigger(type: string, ...set: string[]): Promise<string> {
  return (await run("trigger", type, ...set.flatMap((pair) => ["--set", pair]))).id;
}

/** The listener's output, each line with the indented ones below it. */
const entries = () => listener.output().stdout.split(/\n(?! )/);
const about = (id: string) => entries().filter((entry) => entry.includes(`[${id}]`));
const untilPrinted = (id: string, count: number) => expect.poll(() => about(id).length).toBe(count);
const received = (id: string) => sink.received.filter((one) => one.id === id);
const target = () => sink.url("/hook");

test.each([
  ["payoutCreated", 204],
  ["payoutUpdate", 204],
  ["payoutFailure", 500],
  ["receiverKycUpdate", 204],
])(
  "%s is shown, forwarded unchanged and signed, and paired with its response",
  async (type, status) => {
    const id = await trigger(type);
    await untilPrinted(id, 2);
    const { body, data } = await run("get", id);
    const shown = `→ ${type} [${id}]\n${JSON.stringify(data, null, 2)}`.replaceAll("\n", "\n  ");
    const answer = status === 500 ? ["", "  no such table", "   [2Jgone"].join("\n") : "";
    // The lines below an entry's first one may come later.
    await expect
      .poll(() => about(id).map((entry) => entry.replace(/ \d+ ms /, " N ms ")))
      .toEqual([shown, `← ${status} POST ${target()} N ms [${id}]${answer}`]);

    const [, secret = ""] = /this session: (whsec_\S{44})\n/.exec(listener.output().stderr) ?? [];
    const [sent] = received(id);
    expect([sent?.body, sent?.path]).toEqual([body, "/hook?token=t"]);
    const headers = sent?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(body, headers)).toEqual(data);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^disburse\/\d/),
      "webhook-attempt": "1",
    });
  },
);

test("a resent event is marked as resent, and forwarded under the same id", async () => {
  const id = await trigger("payoutUpdate");
  await untilPrinted(id, 2);
  await run("resend", id);
  await untilPrinted(id, 4);
  expect(about(id)[2]?.split("\n")[0]).toBe(`→ payoutUpdate [${id}] resent`);
  expect(received(id)).toHaveLength(2);
});

test("a redirect counts as a response and is not followed", async () => {
  const id = await trigger("payoutCreated", "reference=moved");
  await untilPrinted(id, 2);
  expect(about(id)[1]).toMatch(/^← 302 POST /);
  expect(sink.received.map(({ path }) => path)).not.toContain("/elsewhere");
});

test("after the service is killed, the next one sends the missed events, each once", async () => {
  const first = await trigger("payoutCreated");
  await untilPrinted(first, 2);
  await serving.end("SIGKILL");
  const missed = [await trigger("payoutUpdate"), await trigger("payoutFailure")];
  await expect.poll(() => listener.output().stderr).toMatch(/No connection to .* Trying again …\n/);
  serving = await serve(environment);
  const last = await trigger("receiverKycUpdate");
  for (const id of [...missed, last]) await untilPrinted(id, 2);
  await expect.poll(() => listener.output().stderr).toMatch(/Trying again …\nConnected again\.\n$/);
  expect(about(first)).toHaveLength(2);
  // The feed looks back half a minute, but an event from before the listener is not shown.
  expect(about(before)).toEqual([]);
  const shown = entries().flatMap((entry) => /^→ \S+ \[(\S+)\]$/m.exec(entry)?.[1] ?? []);
  expect(shown).toHaveLength(new Set(shown).size);
});

test("with --json and the user's own key, each event of the chosen types is one line", async () => {
  const keyRequest = { subaccountId, name: "mine", scopes: ["read"] } as const;
  const key = await createKey(database, keyRequest);
  const own = {
    ...{ DISBURSE_URL: serving.baseUrl, DISBURSE_API_KEY: key?.key },
    DISBURSE_API_SECRET: key?.secret,
    DISBURSE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
  };
  const words = ["events", "listen", "--events", "payoutFailure,receiverKycUpdate", "--json"];
  const isReady = ({ stderr }: { stderr: string }) => stderr.includes("Listening to");
  // No server listens there.
  const forward = ["--forward-to", "http://127.0.0.1:1/x"];
  const program = await begin([...words, ...forward], own, isReady);
  await trigger("payoutCreated");
  const id = await trigger("payoutFailure");
  const lines = () => program.output().stdout.split("\n").slice(0, -1);
  await expect.poll(() => lines().length).toBe(2);
  const { data } = await run("get", id);
  expect(lines().map((line) => JSON.parse(line))).toEqual([
    { event: { id, type: "payoutFailure", resent: false, data } },
    {
      answer: {
        ...{ id, status: null, failure: "ECONNREFUSED", took_ms: expect.any(Number) },
        ...{ url: "http://127.0.0.1:1/x", body: "" },
      },
    },
  ]);
  expect(program.output().stderr).not.toContain("whsec_");
  // A reader that closes the pipe, such as head, ends it.
  program.process.stdout?.destroy();
  await trigger("receiverKycUpdate");
  expect(await program.ended).toBe(130);
});

test("a forward that hangs times out after 15 seconds, and only its own payout waits", async () => {
  const about = () => entries().filter((entry) => entry.includes(hanging));
  await expect
    .poll(() => about().map((entry) => entry.split(" [")[0]))
    .toEqual(["→ payoutCreated", "→ payoutUpdate"]);
  const [first = "", second = ""] = about().map((entry) => /\[(\S+)\]/.exec(entry)?.[1] as string);
  await untilPrinted(first, 2);
  await untilPrinted(second, 2);
  const answers = entries().filter((entry) => /^← /.test(entry));
  const [timeout = "", after = "", other = ""] = [first, second, afterHanging].map((id) =>
    answers.find((entry) => entry.includes(id)),
  );
  const [, tookMs] = /^← timeout POST \S+ (\d+) ms /.exec(timeout) ?? [];
  expect(Number(tookMs)).toBeGreaterThanOrEqual(15_000);
  expect(answers.indexOf(timeout)).toBeLessThan(answers.indexOf(after));
  expect(other).toMatch(/^← 204 /);
  expect(answers.indexOf(timeout)).toBeGreaterThan(answers.indexOf(other));
});

test("Ctrl-C ends listen with 130 and revokes its key; its output has no control characters", async () => {
  const keys = async () =>
    (await database.db.pool.query("select * from api_key where name = 'events listen'")).rows;
  const earlier = (await keys()).map(({ key }) => key);
  const own = await listen();
  const newKey = async () => (await keys()).filter(({ key }) => !earlier.includes(key));
  expect(await newKey()).toEqual([
    expect.objectContaining({ scopes: ["read"], version2_only: true, revoked_at: null }),
  ]);
  // The response to this event has control characters.
  const id = await trigger("payoutFailure");
  await expect.poll(() => own.output().stdout.split(`[${id}]`)).toHaveLength(3);
  expect(await own.end("SIGINT")).toBe(130);
  const { stdout, stderr } = own.output();
  expect(stderr).toMatch(/\nStopped listening\.\n$/);
  expect((await newKey())[0].revoked_at).not.toBeNull();
  expect(stdout).toMatch(/\n$/);
  for (const line of stdout.slice(0, -1).split("\n"))
    expect(line).toMatch(/^(→ |← | {2})\P{Cc}+$/u);
});
