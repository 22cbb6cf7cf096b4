// Live updates: a page gets a hint of each change, by any process, for as long as its user is signed in.

import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { recordAct } from "../../../src/tenants/audit/record.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { disburse } from "../../support/process.ts";
import { settingsOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ logsRequests: true }));

type Listening = {
  status: number;
  /** The kinds of each hint, in order of arrival. */
  hints: string[][];
  ended: Promise<void>;
};

async function listen({ baseUrl }: ConsoleService, person: TestPerson, subaccountId: string) {
  await person.ready;
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(`${baseUrl}/console/api/s/${subaccountId}/live`, {
    headers: { cookie: person.cookie, accept: "text/event-stream" },
    signal: controller.signal,
  });
  const listening: Listening = { status: response.status, hints: [], ended: read() };
  async function read(): Promise<void> {
    let text = "";
    const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() as string;
      for (const block of blocks) {
        const data = /^event: changed\ndata: (.*)$/.exec(block)?.[1];
        if (data) listening.hints.push(JSON.parse(data).kinds);
      }
    }
  }
  listening.ended.catch(() => {});
  return listening;
}

const expectHint = (listening: Listening, kind: string) =>
  expect.poll(() => listening.hints.flat()).toContain(kind);

test("a change sends a hint to pages of its subaccount, and to no others", async () => {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const past = await pastOf(service, caller);
  await past.fund(Date.now(), 1_000);
  const other = await service.newCaller();
  const operator = service.enter("operator");
  const [listening, elsewhere] = await Promise.all([
    listen(service, operator, subaccountId),
    listen(service, operator, other.subaccountId),
  ]);
  expect(listening.status).toBe(200);
  const id = await past.make(Date.now(), 10);
  await expectHint(listening, "payouts");
  // A submit creates no event.
  listening.hints.length = 0;
  await past.move(id, "submit", Date.now());
  await expectHint(listening, "payouts");
  listening.hints.length = 0;
  await caller.disburse.events.test();
  await expectHint(listening, "events");
  // Any action of a user.
  listening.hints.length = 0;
  const { who } = operator;
  const actor = { kind: "user", who, ip: "", requestId: id, subaccountId } as const;
  await service.db.transaction((tx) =>
    recordAct({ tx, seal: service.seal }, actor, {
      action: "view.save",
      object: { kind: "view", id },
    }),
  );
  await expectHint(listening, "receivers");
  listening.hints.length = 0;
  await caller.call("GET", "/api/balance");
  await expectHint(listening, "requests");
  expect(elsewhere.hints).toEqual([]);

  const developer = service.enter("developer", { subaccountId });
  expect((await listen(service, developer, other.subaccountId)).status).toBe(404);
});

test("a change by another process sends a hint too", async () => {
  const { subaccountId } = await service.newCaller();
  const listening = await listen(service, service.enter("operator"), subaccountId);
  const words = ["ledger", "fund", "--subaccount", subaccountId, "--amount", "1.00"];
  const { code, stderr } = await disburse(
    [...words, "--currency", "AUD", "--reference", "from elsewhere"],
    settingsOf(service),
  );
  expect([code, stderr]).toEqual([0, expect.anything()]);
  await expectHint(listening, "payouts");
});

test("many changes are combined into few hints", async () => {
  const caller = await service.newCaller();
  const listening = await listen(service, service.enter("operator"), caller.subaccountId);
  const startMs = performance.now();
  for (let count = 0; count < 40; count += 1) await caller.disburse.events.test();
  await expectHint(listening, "events");
  const hintsMax = 2 + (performance.now() - startMs) / limits.liveGapMs;
  expect(listening.hints.length).toBeLessThanOrEqual(hintsMax);
});

test("a stream ends soon after its session, and other streams stay open", async () => {
  const { subaccountId } = await service.newCaller();
  const [leaving, staying] = [service.enter("operator"), service.enter("operator")];
  const listening = await listen(service, leaving, subaccountId);
  const other = await listen(service, staying, subaccountId);
  let isOtherEnded = false;
  void other.ended
    .finally(() => {
      isOtherEnded = true;
    })
    .catch(() => {});
  await service.db.pool.query("delete from user_session where user_id = $1", [leaving.person.id]);
  await listening.ended;
  expect(isOtherEnded).toBe(false);
});

test("CONS806: the number of streams of one user is limited", async () => {
  const { subaccountId } = await service.newCaller();
  const operator = service.enter("operator");
  for (let count = 0; count < limits.liveStreamsOfUserMax; count += 1) {
    expect((await listen(service, operator, subaccountId)).status).toBe(200);
  }
  expect((await listen(service, operator, subaccountId)).status).toBe(429);
});

test("a shutdown ends the streams", async () => {
  const leaving = await startConsole();
  const { subaccountId } = await leaving.newCaller();
  const listening = await listen(leaving, leaving.enter("operator"), subaccountId);
  await Promise.all([leaving.close(), listening.ended]);
});
