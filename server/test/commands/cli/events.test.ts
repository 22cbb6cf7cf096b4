// Events from the command line, without a service: list, get, resend, recover, trigger, and refusals.

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { me, meAs, unknownId } from "../../support/cli-operator.ts";
import { command } from "../../support/commands.ts";
import { closeSubaccount } from "../../support/keys.ts";
import { type Service, settingsOf, startService } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";

let service: Service;
let sink: Sink;
let subaccountId: string;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startService({ delivers: true });
  sink = await startSink((_received, response) =>
    response.writeHead(500).end(`the \u001b[31mtable\u001b[0m is locked\n${"x".repeat(200)}`),
  );
  environment = {
    ...settingsOf(service),
    POSTBACK_ADDRESSES: "loopback",
  };
});
// Each test has its own subaccount. It is the only open one, so commands need not name it.
beforeEach(async () => {
  ({ subaccountId } = await createSubaccount(service, { name: "Only", mode: "test" }));
});
afterEach(() => closeSubaccount(service.db, subaccountId));
afterAll(async () => {
  await sink.close();
  await service.close();
});

const run = (...words: string[]) => command(["events", ...words], environment);
async function json(...words: string[]) {
  const { code, stdout, stderr } = await run(...words, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}
const rows = async (text: string, values: string[] = []) =>
  (await service.db.pool.query(text, values)).rows;
/** The sink answers every event of the subaccount with 500. */
async function setPostback(): Promise<void> {
  const set = ["subaccount", "set-postback", subaccountId, sink.url("/hook")];
  expect((await command(set, environment)).code).toBe(0);
}

describe("trigger", () => {
  test("uses a key from the environment, without the database", async () => {
    const { key, secret, subaccountId: other } = await service.newCaller();
    onTestFinished(async () => void (await closeSubaccount(service.db, other)));
    const remote = {
      DISBURSE_BASE_URL: service.baseUrl,
      ...{ DISBURSE_API_KEY: key, DISBURSE_API_SECRET: secret },
    };
    const words = ["events", "trigger", "payoutFailure", "--set", "amount=500", "--json"];
    const { code, stdout, stderr } = await command(words, remote);
    expect([code, stderr]).toEqual([0, ""]);
    const made = JSON.parse(stdout);
    expect(made.id).toMatch(/^evt_test_/);
    const wrong = await command(words, { ...remote, DISBURSE_API_SECRET: "sk_test_wrong" });
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).not.toContain("Unexpected");
    const half = await command(words, { DISBURSE_API_KEY: key });
    expect(half).toMatchObject({ code: 2, stderr: /Set both/ });
  });

  test.each([
    ["payoutCreated", { amount: 7, reference: "007" }],
    ["payoutUpdate", { amount: 7.5, timestamp: 12 }],
    // The timestamp is a string only in this event.
    ["payoutFailure", { cause: "a=b", timestamp: "0012" }],
    ["receiverKycUpdate", { status: "failed", receiver_id: unknownId }],
  ])("%s has the fields that were set", async (type, set) => {
    const pairs = Object.entries(set).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const made = await json("trigger", type, ...pairs);
    expect(made).toEqual({ id: expect.stringMatching(/^evt_/), type, status: "unsent" });
    const got = await json("get", made.id);
    expect(got).toMatchObject({ id: made.id, type, data: { event: type, ...set }, attempts: [] });
    expect(JSON.parse(got.body)).toEqual(got.data);
    const { events, next_cursor } = await json("list", "--type", type);
    const { body, attempts, ...record } = got;
    expect([events, next_cursor]).toEqual([[record], null]);
  });

  test("invalid fields are refused as over HTTP, all at once", async () => {
    const before = await rows("select count(*) from event");
    const words = ["--set", "amount=many", "--set", "nonsense=1", "--set", "currency=AUD"];
    const cure = `  ${refusals.EVNT202[2]}\n`;
    expect(await run("trigger", "payoutCreated", ...words)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `EVNT202 set.amount: Set is not valid\n${cure}` +
        `EVNT202 set.nonsense: Set is not valid\n${cure}`,
    });
    const unknown = await run("trigger", "constructor", "--set", "amount=1");
    expect(unknown.stderr).toBe(`EVNT201 type: Type is not valid\n  ${refusals.EVNT201[2]}\n`);
    expect(await rows("select count(*) from event")).toEqual(before);
  });
});

test("list accepts the API's filters, and times such as 2h or a date", async () => {
  for (const type of ["payoutCreated", "receiverKycUpdate"]) await json("trigger", type);
  const words = ["--set", `receiver_id=${unknownId}`];
  const { id } = await json("trigger", "payoutUpdate", ...words);
  const [one] = (await json("list", "--limit", "1")).events;
  expect(one.id).toBe(id);
  const ids = async (...filter: string[]) =>
    (await json("list", ...filter)).events.map((event: { id: string }) => event.id);
  expect(await ids("--payout-id", one.data.payout_id)).toEqual([id]);
  expect(await ids("--receiver-id", unknownId, "--type", "payoutUpdate")).toEqual([id]);
  expect(await ids("--status", "delivered")).toEqual([]);
  expect(await ids("--from", "1h", "--to", one.created_at)).not.toContain(id);
  expect(await ids("--from", "1h")).toContain(id);
  expect(await ids("--to", "1h")).toEqual([]);

  const { next_cursor } = await json("list", "--limit", "2");
  const inWords = await run("list", "--limit", "2");
  expect(inWords.stderr).toBe(`There are more: --cursor ${next_cursor}\n`);
  expect(inWords.stdout).toMatch(
    /^id +type +status +attempt_count +payout_id +receiver_id .*\nevt_/,
  );
  expect(await ids("--cursor", next_cursor)).not.toContain(id);
});

test("get shows each attempt on one line, with the start of the response", async () => {
  await setPostback();
  const { id, status } = await json("trigger", "payoutFailure");
  expect(status).toBe("waiting");
  const shown = async () => (await run("get", id)).stdout;
  await expect.poll(shown).toMatch(/\nattempt_count +1\n/);
  expect(await shown()).toMatch(/\nbody +\{"event":"payoutFailure",.*\}\n\nAttempts\n/);
  const attempt =
    /\n1 +\S+Z +500 +\d+ +refused_5xx +- +the .\[31mtable.\[0m is locked x{40,60}…\n$/;
  expect(await shown()).toMatch(attempt);
  const { attempts } = await json("get", id);
  expect(attempts).toEqual([expect.objectContaining({ number: 1, status: 500 })]);
});

test("resend delivers the event again and records the operator", async () => {
  await setPostback();
  const { id } = await json("trigger", "payoutUpdate");
  const received = () => sink.received.filter((one) => one.id === id).length;
  await expect.poll(received).toBe(1);
  expect(await json("resend", id)).toMatchObject({ id, status: "waiting" });
  await expect.poll(received).toBe(2);
  expect((await run("resend", id, "--by", "Erin")).stdout).toMatch(
    /^id +evt_.*\n.*\nstatus +waiting\n/,
  );
  const resends = await rows("select who from event_resend where subaccount_id = $1 order by id", [
    subaccountId,
  ]);
  expect(resends).toEqual([{ who: me }, { who: meAs("Erin") }]);
});

test("recover accepts 2h, a date or milliseconds, and prints how to follow it", async () => {
  await setPostback();
  const { stdout, stderr, code } = await run("recover", "--since", "2h", "--by", "Erin");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^id +\S{36}\nsince +\S+Z\nuntil +\S+Z\n$/),
  ]);
  const [, follow = ""] = /\n {2}disburse events (.+)\n$/.exec(stderr) ?? [];
  expect((await run(...follow.split(" "))).code).toBe(0);

  const words = ["--since", "2026-01-01", "--until", "1767225600001", "--include-delivered"];
  const started = await json("recover", ...words);
  expect(started).toMatchObject({ since: "1767225600000", until: "1767225600001" });
  const kept = await rows(
    "select with_delivered, who from event_recovery where subaccount_id = $1 order by id",
    [subaccountId],
  );
  expect(kept).toEqual([
    { with_delivered: false, who: meAs("Erin") },
    { with_delivered: true, who: me },
  ]);
});

test.each([
  [["list", "--type", "x"], 2, "EVNT402 type: Type is not valid"],
  [["list", "--from", "soon"], 2, "such as 2026-11-30, or how long ago, such as 2h"],
  [["get", "evt_1"], 4, "There is no event evt_1 in subaccount"],
  [["resend", `evt_${unknownId}`], 4, `There is no event evt_${unknownId}`],
  [["recover"], 2, "--since"],
  [["recover", "--since", "1m", "--until", "1h"], 1, "EVNT203 since"],
  [["trigger", "payoutCreated", "--set", "amount"], 2, "Write it as field=value."],
  [["listen", "--forward-to", "ftp://x"], 2, "such as http://localhost:3000/events"],
  [["listen", "--forward-to", "http://a:b@localhost/"], 2, "such as http://localhost:3000/events"],
  [["listen", "--events", "payoutCreated,x"], 2, "one of payoutCreated, payoutUpdate"],
])("%j exits with code %i and a reason", async (words, expected, why) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).toContain(why);
});

describe("listen explains", () => {
  const forward = ["--forward-to", "http://127.0.0.1:1/"];
  test.each([
    ["half a key", { DISBURSE_API_KEY: "ak" }, [], 2, "Set both DISBURSE_API_KEY and"],
    [
      "a key and a subaccount",
      { DISBURSE_API_KEY: "ak", DISBURSE_API_SECRET: "sk" },
      ["--subaccount", unknownId],
      2,
      "Leave out --subaccount",
    ],
    ["a free port", { PORT: "0" }, [], 2, "Set DISBURSE_BASE_URL to the address"],
    ["an address", { DISBURSE_BASE_URL: "here" }, [], 2, "baseUrl must be an address"],
    ["a secret", { DISBURSE_WEBHOOK_SECRET: "sk_1" }, forward, 2, "is the secret of an API key"],
    ["no subaccount", {}, ["--subaccount", unknownId], 4, "There is no subaccount"],
  ])("%s", async (_, extra, words, expected, why) => {
    const set = { ...environment, ...(extra as Record<string, string>) };
    const { code, stdout, stderr } = await command(["events", "listen", ...words], set);
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("Unexpected");
  });

  test("an unknown key, and how to fix it", async () => {
    const set = { DISBURSE_API_KEY: "ak_test_no", DISBURSE_API_SECRET: "sk_test_no" };
    const { code, stderr } = await command(["events", "listen"], {
      ...{ ...environment, ...set, DISBURSE_URL: service.baseUrl },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`\n  ${refusals.AUTH104[2]}\n`)]);
  });
});

test("a closed subaccount gets no new events, and listen refuses it", async () => {
  await closeSubaccount(service.db, subaccountId);
  const keys = await rows("select count(*) from api_key");
  const named = ["--subaccount", subaccountId];
  for (const words of [["trigger", "payoutCreated"], ["listen"]]) {
    expect((await run(...words, ...named)).stderr).toMatch(/^SUBA101: /);
  }
  expect(await rows("select count(*) from api_key")).toEqual(keys);
});
