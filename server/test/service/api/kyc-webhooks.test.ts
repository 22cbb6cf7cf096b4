// Outcomes of checks at Sumsub: reported by a webhook, or found by polling. Each report counts once, in the order of
// its time, and only if it is from Sumsub.

import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideKyc } from "../../../src/people/kyc/decide.ts";
import { sandboxProvider } from "../../../src/people/kyc-providers/sandbox.ts";
import { sumsubProvider } from "../../../src/people/kyc-providers/sumsub.ts";
import { ada, startService } from "../../support/service.ts";
import { type SumsubApplicant, startSumsub } from "../../support/sumsub-server.ts";

type Json = Record<string, unknown>;

const green = { reviewAnswer: "GREEN" };
const red = (reviewRejectType: string) => ({
  reviewAnswer: "RED",
  reviewRejectType,
  rejectLabels: ["BAD_SELFIE"],
  moderationComment: "Please take another picture.",
  clientComment: "Looks like a screen.",
});
const dayMs = 86_400_000;
const soon = { timeout: 60_000, interval: 20 };

/** The time of an event as Sumsub writes it. */
const at = (ms: number) => ({
  createdAtMs: new Date(ms).toISOString().replace(/[TZ]/g, " ").trim(),
});

type Checked = Awaited<ReturnType<typeof start>>;

async function start(pollAfterMs: number) {
  const sumsub = await startSumsub();
  const live = sumsubProvider({ ...sumsub, pollAfterMs });
  const service = await startService({ kyc: { test: sandboxProvider({ delayMs: dayMs }), live } });
  return { sumsub, service, caller: await service.newCaller({ mode: "live" }) };
}

let reported: Checked;
beforeAll(async () => {
  reported = await start(dayMs);
});
afterAll(async () => {
  await reported.service.close();
  await reported.sumsub.close();
});

/** The states since the applicant was created, each `status/kyc`, and the events about them, in order. */
async function lifeOf(id: string, { service }: Checked = reported) {
  const { rows } = await service.db.pool.query(
    `select status || '/' || kyc_status as now, applicant_id, kyc_step as step,
       array(select from_status || '/' || from_kyc_status from receiver_history
             where receiver_id = r.id and from_status <> 'creating' order by id) as moved,
       array(select body::json ->> 'status' from event where order_key = r.id order by number) as events
     from receiver r where id = $1`,
    [id],
  );
  const [{ now, moved, events, step, applicant_id }] = rows;
  return { states: [...moved, now] as string[], events: events as string[], step, applicant_id };
}

const statesOf = async (id: string, checked?: Checked) => (await lifeOf(id, checked)).states;

/** A live receiver with an applicant, and functions that report about it. */
async function newApplicant(checked: Checked = reported) {
  const { sumsub, caller } = checked;
  const { receiver_id: id } = await caller.disburse.receivers.create(ada());
  await expect.poll(() => statesOf(id, checked), soon).toEqual(["pending/pending"]);
  const { applicant_id: applicantId } = await lifeOf(id, checked);
  const webhook = (reviewResult: Json, extra: Json = {}) =>
    sumsub.webhook(applicantId, "applicantReviewed", { reviewResult, ...extra });
  const sendReview = async (reviewResult: Json, extra: Json = {}) =>
    (await post(webhook(reviewResult, extra), checked)).json.message;
  const key = { subaccountId: caller.subaccountId, id };
  return { id, key, applicantId, webhook, sendReview };
}

type Sent = { body: Buffer | string; headers: Record<string, string>; path?: string };

async function post(
  { body, headers, path = "/webhooks/kyc/sumsub" }: Sent,
  { service }: Checked = reported,
) {
  const url = service.baseUrl + path;
  const response = await fetch(url, { method: "POST", body: body as string, headers });
  return { status: response.status, json: await response.json() };
}

function signed(
  body: string | Buffer,
  secret = reported.sumsub.webhookSecret,
  hash = "SHA256",
): Sent {
  const digest = createHmac(hash, secret).update(body).digest("hex");
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-payload-digest": digest,
      "x-payload-digest-alg": `HMAC_${hash}_HEX`,
    },
  };
}

async function reportsOf(id: string, { service }: Checked = reported) {
  const { rows } = await service.db.pool.query(
    `select outcome, labels, public_comment, private_comment from kyc_report
     where receiver_id = $1 order by occurred_at_ms`,
    [id],
  );
  return rows;
}

/** Every row of every table, without last_used_at of secrets, which is written some time after their use. */
async function everything(): Promise<Record<string, unknown[]>> {
  const { pool } = reported.service.db;
  const tables = await pool.query("select tablename from pg_tables where schemaname = 'public'");
  const rows = tables.rows.map(async ({ tablename }) => {
    const found = await pool.query(
      `select (to_jsonb(t) - 'last_used_at')::text as t from ${tablename} t order by 1`,
    );
    return [tablename, found.rows];
  });
  return Object.fromEntries(await Promise.all(rows));
}

describe("a report", () => {
  test.each([
    ["GREEN", green, "moved", ["pending/pending", "active/completed"], ["completed"]],
    ["RED FINAL", red("FINAL"), "moved", ["pending/pending", "failed/failed"], ["failed"]],
    ["RED RETRY", red("RETRY"), "unchanged", ["pending/pending"], []],
    ["RED of an unknown kind", red("OTHER"), "unchanged", ["pending/pending"], []],
    ["YELLOW", { reviewAnswer: "YELLOW" }, "unchanged", ["pending/pending"], []],
  ])("%s", async (_name, reviewResult, message, states, events) => {
    const { id, webhook } = await newApplicant();
    expect(await post(webhook(reviewResult))).toEqual({ status: 200, json: { message } });
    expect(await lifeOf(id)).toMatchObject({ states, events });
  });

  test("is stored completely, and its part for operators is not shown to callers", async () => {
    const { id, sendReview } = await newApplicant();
    await sendReview(red("RETRY"));
    const kept = {
      labels: ["BAD_SELFIE"],
      public_comment: "Please take another picture.",
      private_comment: "Looks like a screen.",
    };
    expect(await reportsOf(id)).toEqual([{ outcome: "retry", ...kept }]);
    await sendReview(red("FINAL"));
    const history = await reported.caller.disburse.receivers.history(id).toArray();
    const [entry] = history;
    expect(entry).toMatchObject({ who: "provider:sumsub", reason: "Please take another picture." });
    expect(JSON.stringify(history)).not.toContain("screen");
  });

  test("of a final rejection after an approval makes the receiver inactive", async () => {
    const { id, sendReview } = await newApplicant();
    expect([await sendReview(green), await sendReview(red("FINAL"))]).toEqual(["moved", "moved"]);
    const states = ["pending/pending", "active/completed", "inactive/failed"];
    expect(await lifeOf(id)).toMatchObject({ states, events: ["completed", "failed"], step: null });
    // The rejection is final: an approval now needs an operator or a restart.
    expect(await sendReview(green)).toBe("needs-operator");
    expect(await lifeOf(id)).toMatchObject({ states });
  });

  test("of an earlier time is late, although it arrives later", async () => {
    const nowMs = Date.now();
    const { id, sendReview } = await newApplicant();
    expect(await sendReview(green, at(nowMs))).toBe("moved");
    expect(await sendReview(red("FINAL"), at(nowMs - 1))).toBe("late");
    expect(await sendReview(red("RETRY"), at(nowMs - dayMs))).toBe("late");
    const states = ["pending/pending", "active/completed"];
    expect(await lifeOf(id)).toMatchObject({ states, events: ["completed"] });
    expect((await reportsOf(id)).map(({ outcome }) => outcome)).toEqual([
      ...["retry", "rejected", "approved"],
    ]);
    expect(await sendReview(red("FINAL"), at(nowMs + 1))).toBe("moved");
  });

  test("that arrives ten times at once makes one change and one event", async () => {
    const { id, webhook } = await newApplicant();
    const sent = webhook(green);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(sent)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const messages = answers.map(({ json }) => json.message).sort();
    expect(messages).toEqual(["moved", ...Array(9).fill("repeated")]);
    const states = ["pending/pending", "active/completed"];
    expect(await lifeOf(id)).toMatchObject({ states, events: ["completed"] });
    expect(await reportsOf(id)).toHaveLength(1);
  });

  test("of the latest time counts among ten contradictory ones at once", async () => {
    const nowMs = Date.now();
    const { id, webhook } = await newApplicant();
    const sent = Array.from({ length: 10 }, (_, index) =>
      webhook(index === 9 ? red("FINAL") : green, at(nowMs + index)),
    );
    await Promise.all(sent.map((one) => post(one)));
    const { states, events } = await lifeOf(id);
    expect(states.at(-1)).toMatch(/^(failed|inactive)\/failed$/);
    expect(events.at(-1)).toBe("failed");
    expect(events.length).toBe(states.length - 1);
  });

  test("can't approve a receiver that an operator has finally rejected", async () => {
    const { id, key, sendReview } = await newApplicant();
    const said = { who: "operator:grace", reason: "A forgery", atMs: Date.now() } as const;
    await reported.service.db.transaction((tx) =>
      decideKyc(tx, key, { ...said, verdict: "reject", final: true }),
    );
    const before = await lifeOf(id);
    expect(await sendReview(green, at(said.atMs + 1))).toBe("needs-operator");
    expect(await lifeOf(id)).toEqual(before);
    expect((await reportsOf(id)).map(({ outcome }) => outcome)).toEqual(["rejected", "approved"]);
  });
});

describe("a check that restarts", () => {
  test("makes Sumsub reset its check, and only later findings count", async () => {
    const { sumsub, caller } = reported;
    const { id, applicantId, webhook, sendReview } = await newApplicant();
    sumsub.decide(applicantId, red("FINAL"));
    const rejection = webhook(red("FINAL"));
    await post(rejection);
    await caller.disburse.receivers.restartKyc(id);
    const applicant = sumsub.applicants.get(applicantId) as SumsubApplicant;
    await expect.poll(() => applicant.reviewStatus, soon).toBe("init");
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    expect((await post(rejection)).json.message).toBe("repeated");
    expect(await sendReview(green)).toBe("moved");
    const states = ["pending/pending", "failed/failed", "pending/pending", "active/completed"];
    expect(await lifeOf(id)).toMatchObject({ states, events: ["failed", "pending", "completed"] });
  });

  test("after a change of name ignores reports about the old name", async () => {
    const { sumsub, caller } = reported;
    const { id, applicantId, sendReview } = await newApplicant();
    const beforeMs = Date.now() - 1;
    await sendReview(green, at(beforeMs - 1));
    await caller.disburse.receivers.update(id, { last_name: "Byron" });
    expect(await sendReview(green, at(beforeMs))).toBe("late");
    expect(await sendReview(red("FINAL"), at(beforeMs))).toBe("late");
    const states = ["pending/pending", "active/completed", "active/pending"];
    expect(await lifeOf(id)).toMatchObject({ states, events: ["completed", "pending"] });
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    const applicant = sumsub.applicants.get(applicantId) as SumsubApplicant;
    expect(applicant.fixedInfo).toMatchObject({ lastName: "Byron" });
    expect(await sendReview(green)).toBe("moved");
    expect((await statesOf(id)).at(-1)).toBe("active/completed");
  });

  test("ignores reports about the old name until Sumsub knows the new one", async () => {
    const { sumsub, caller } = reported;
    const { id, applicantId, sendReview, webhook } = await newApplicant();
    sumsub.mode.down = true;
    await caller.disburse.receivers.update(id, { last_name: "Byron" });
    const approval = webhook(green);
    await sendReview(green);
    sumsub.mode.down = false;
    const applicant = sumsub.applicants.get(applicantId) as SumsubApplicant;
    await expect.poll(() => applicant.fixedInfo, soon).toMatchObject({ lastName: "Byron" });
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    expect((await post(approval)).json.message).toBe("late");
    expect((await lifeOf(id)).states.at(-1)).toBe("pending/pending");
    expect(await sendReview(green)).toBe("moved");
  });
});

describe("a report that is forged or invalid changes nothing in any table", () => {
  const stranger = "5cb56e8e0a975a35f333cb83";
  /** A valid report, with the given changes. */
  type Forgery = (good: Sent, say: (extra: Json) => Sent, other: string) => Sent;
  const without = ({ body, headers }: Sent, name: string): Sent => {
    const { [name]: _, ...others } = headers;
    return { body, headers: others };
  };
  const to = (good: Sent, provider: string) => ({ ...good, path: `/webhooks/kyc/${provider}` });

  test.each<[string, string, Forgery]>([
    ["no digest", "401 KYCW102", (good) => without(good, "x-payload-digest")],
    ["no algorithm", "401 KYCW102", (good) => without(good, "x-payload-digest-alg")],
    ["a digest by another secret", "401 KYCW102", ({ body }) => signed(body, "another")],
    ["SHA-1", "401 KYCW102", ({ body }) => signed(body, undefined, "SHA1")],
    ["another's digest", "401 KYCW102", (good, say) => ({ ...good, headers: say({}).headers })],
    ["a byte more", "401 KYCW102", (good) => ({ ...good, body: `${good.body} ` })],
    ["RED made GREEN", "401 KYCW102", (_, say) => greened(say({ reviewResult: red("FINAL") }))],
    ["no body", "401 KYCW102", (good) => ({ ...good, body: "" })],
    ["no body, signed", "400 KYCW103", () => signed("")],
    ["no JSON, signed", "400 KYCW103", () => signed("GREEN")],
    ["no object, signed", "400 KYCW103", () => signed('["GREEN"]')],
    ["bytes that are no text, signed", "400 KYCW103", () => signed(Buffer.from([0xff, 0x00]))],
    ["no time", "400 KYCW103", (_, say) => say({ createdAtMs: "yesterday" })],
    ["no applicant", "400 KYCW103", (_, say) => say({ applicantId: undefined })],
    ["an applicant like a path", "400 KYCW103", (_, say) => say({ applicantId: "../x" })],
    ["another receiver", "400 KYCW103", (_, say, other) => say({ externalUserId: other })],
    ["no receiver of ours", "400 KYCW103", (_, say) => say({ externalUserId: randomUUID() })],
    ["an unknown applicant", "404 KYCW104", (_, say) => say({ applicantId: stranger })],
    ["an unknown provider", "404 KYCW101", (good) => to(good, "another")],
    ["the sandbox", "404 KYCW101", (good) => to(good, "sandbox")],
    ["a name of JavaScript's", "404 KYCW101", (good) => to(good, "__proto__")],
    ["another content type", "415 SYST105", (good) => typed(good, "text/plain")],
    ["another charset", "415 SYST105", (good) => typed(good, "application/json; charset=utf-16")],
    ["no content type", "415 SYST105", (good) => without(good, "content-type")],
    ["too much", "413 SYST104", () => signed(`{"type":"${"x".repeat(65_536)}"}`)],
  ])("%s: %s", async (_name, expected, forge) => {
    const [{ id, webhook }, { id: other }] = [await newApplicant(), await newApplicant()];
    const before = await everything();
    const { status, json } = await post(forge(webhook(green), (e) => webhook(green, e), other));
    expect(`${status} ${json.error?.[0].code}`).toBe(expected);
    expect(await everything()).toEqual(before);
    expect(await statesOf(id)).toEqual(["pending/pending"]);
  });

  function greened({ body, headers }: Sent): Sent {
    return { body: `${body}`.replace('"RED"', '"GREEN"'), headers };
  }

  function typed({ body, headers }: Sent, contentType: string): Sent {
    return { body, headers: { ...headers, "content-type": contentType } };
  }

  test("an event without an outcome, or of another level, is accepted and ignored", async () => {
    const { applicantId, webhook } = await newApplicant();
    const before = await everything();
    for (const sent of [
      reported.sumsub.webhook(applicantId, "applicantPending", { reviewResult: green }),
      webhook(green, { levelName: "a-lower-level" }),
    ]) {
      const json = { message: "not about the outcome of a check" };
      expect(await post(sent)).toEqual({ status: 200, json });
    }
    expect(await everything()).toEqual(before);
  });

  test("a report about a receiver of a test subaccount is refused and changes nothing", async () => {
    const { disburse } = await reported.service.newCaller();
    const { receiver_id } = await disburse.receivers.create(ada());
    const { applicant_id } = await disburse.receivers.get(receiver_id);
    const { webhook } = await newApplicant();
    const before = await everything();
    const about = { externalUserId: receiver_id };
    expect((await post(webhook(green, about))).status).toBe(400);
    expect((await post(webhook(green, { ...about, applicantId: applicant_id }))).status).toBe(400);
    // Also if its applicant id looks like one of Sumsub.
    const text = "update receiver set applicant_id = $2 where id = $1";
    await reported.service.db.pool.query(text, [receiver_id, stranger]);
    const answer = await post(webhook(green, { ...about, applicantId: stranger }));
    expect([answer.status, answer.json.error[0].code]).toEqual([404, "KYCW104"]);
    await reported.service.db.pool.query(text, [receiver_id, applicant_id]);
    expect(await everything()).toEqual(before);
  });
});

describe("without a webhook, Sumsub is polled", () => {
  let asked: Checked;
  beforeAll(async () => {
    asked = await start(300);
  });
  afterAll(async () => {
    await asked.service.close();
    await asked.sumsub.close();
  });

  test.each([
    ["GREEN", green, "active/completed", "completed"],
    ["RED FINAL", red("FINAL"), "failed/failed", "failed"],
  ])("%s is found, announced once, and not polled again", async (_name, result, end, events) => {
    const { id, applicantId } = await newApplicant(asked);
    asked.sumsub.decide(applicantId, result);
    await expect
      .poll(() => lifeOf(id, asked), soon)
      .toMatchObject({ states: ["pending/pending", end] });
    expect(await lifeOf(id, asked)).toMatchObject({ events: [events], step: null });
  });

  test("RED RETRY is stored, and polled until it changes", async () => {
    const { id, applicantId } = await newApplicant(asked);
    asked.sumsub.decide(applicantId, red("RETRY"));
    const outcomes = async () => (await reportsOf(id, asked)).map(({ outcome }) => outcome);
    await expect.poll(outcomes, soon).toContain("retry");
    expect(await lifeOf(id, asked)).toMatchObject({ states: ["pending/pending"], events: [] });
    asked.sumsub.decide(applicantId, green);
    const states = ["pending/pending", "active/completed"];
    await expect
      .poll(() => lifeOf(id, asked), soon)
      .toMatchObject({ states, events: ["completed"] });
  });

  test("a withdrawn approval is polled again", async () => {
    const { id, applicantId, sendReview } = await newApplicant(asked);
    asked.sumsub.decide(applicantId, green);
    await expect.poll(() => statesOf(id, asked), soon).toHaveLength(2);
    expect(await sendReview(red("RETRY"))).toBe("moved");
    const states = ["pending/pending", "active/completed", "active/pending", "active/completed"];
    await expect.poll(() => statesOf(id, asked), soon).toEqual(states);
    expect((await lifeOf(id, asked)).events).toEqual(["completed", "pending", "completed"]);
  });
});
