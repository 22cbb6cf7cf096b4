// The review queue: cases that wait, their assignment, the event that a decision sends, and cases for two users.

import { expect, test } from "vitest";
import { applyReport, type ReportToApply } from "../../../src/people/kyc/decide.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { ada, addAccount } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ sandboxDelayMs: 0 }));
const caller = await service.newCaller({ mode: "live" });
const operator = service.enter("operator");

let count = 0;
/** Creates a receiver that resembles no other, unless `changes` make it. */
async function create(changes: Parameters<typeof ada>[0] = {}, by = caller): Promise<string> {
  count += 1;
  const letters = [...String(count)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const own = { last_name: `Person ${letters}`, phone: String(412_000_000 + count) };
  return (await by.disburse.receivers.create(ada({ ...own, ...changes }))).receiver_id;
}

const pathOf = (id: string, subaccountId = caller.subaccountId) => `/reviews/${subaccountId}/${id}`;

async function queue(person: TestPerson, query = ""): Promise<string[]> {
  const { status, json } = await person.get(`/reviews?${query}`);
  expect(status).toBe(200);
  return json.rows.map(({ receiver_id }: { receiver_id: string }) => receiver_id);
}

async function caseOf(id: string, person = operator) {
  const { status, json } = await person.get(pathOf(id));
  expect(status).toBe(200);
  return json;
}

async function decide(person: TestPerson, id: string, what: string, body: object) {
  const { version } = await caseOf(id, person);
  return person.post(`${pathOf(id)}/${what}`, { version, ...body });
}

const codeOf = ({ json }: { json: { error: [{ code: string }] } }) => json.error[0].code;

async function sentOf(id: string): Promise<string[]> {
  const { rows } = await service.db.pool.query(
    "select body from event where order_key = $1 order by number",
    [id],
  );
  return rows.map(({ body }) => body);
}

async function actionsOn(id: string): Promise<string[]> {
  const { rows } = await service.db.pool.query(
    "select action from audit_entry where object_id = $1 order by number",
    [id],
  );
  return rows.map(({ action }) => action);
}

const reject = { reason_code: "document_expired", note: "passport of 2019" };

/** The body without its timestamp, which is the time of the decision. */
const timeless = (body: string) => body.replace(/"timestamp":\d{13}/, '"timestamp":0');

test("the queue has the waiting cases of all subaccounts, oldest first, and their count", async () => {
  const other = await service.newCaller({ mode: "live" });
  const first = await create();
  const second = await create({}, other);
  // The sandbox decides by itself, except for emails that start with kyc-pending.
  const test = await service.newCaller({ mode: "test" });
  await create({}, test);
  const kept = await create({ email: `kyc-pending+${Date.now()}@example.com` }, test);
  await expect.poll(() => queue(operator)).toContain(kept);

  const mine = [first, second, kept];
  expect((await queue(operator)).filter((id) => mine.includes(id))).toEqual(mine);
  expect(await queue(operator, `subaccount_id=${other.subaccountId}`)).toEqual([second]);
  const one = await operator.get("/reviews?limit=1");
  const two = await operator.get(`/reviews?limit=1&cursor=${one.json.next}`);
  expect(two.json.rows[0].id).not.toBe(one.json.rows[0].id);
  expect((await operator.get("/reviews/count")).json).toMatchObject({
    count: (await queue(operator)).length,
    is_capped: false,
  });

  const lateMs = Date.now() - 25 * 3_600_000;
  await service.db.pool.query("update receiver set created_at_ms = $2 where id = $1", [
    second,
    lateMs,
  ]);
  const [oldest] = (await operator.get("/reviews")).json.rows;
  expect(oldest).toMatchObject({ receiver_id: second, since: lateMs, urgency: "late" });
});

test("a check on hold is in the queue until the provider reports another outcome", async () => {
  const id = await create();
  const key = { subaccountId: caller.subaccountId, id };
  // As if another provider checked it, and the next poll were tomorrow.
  await service.db.pool.query(
    `update receiver set kyc_provider = 'sumsub', kyc_step = 'ask', kyc_due_at_ms = $2 where id = $1`,
    [id, Date.now() + 86_400_000],
  );
  expect(await queue(operator)).not.toContain(id);
  const applyOutcome = (outcome: ReportToApply["decision"]["outcome"], eventId: string) => {
    const decision = { outcome, labels: [], publicComment: "", privateComment: "" };
    const atMs = Date.now();
    const report = { eventId, decision, occurredAtMs: atMs, receivedAtMs: atMs, thenAsk: null };
    return service.db.transaction((tx) => applyReport(tx, key, { ...report, provider: "sumsub" }));
  };
  await applyOutcome("on_hold", "1");
  expect(await queue(operator)).toContain(id);
  await applyOutcome("pending", "2");
  expect(await queue(operator)).not.toContain(id);
  await applyOutcome("rejected", "3");
  expect(await applyOutcome("approved", "4")).toBe("needs-operator");
  const rows = (await operator.get("/reviews")).json.rows;
  expect(rows.find(({ receiver_id }: { receiver_id: string }) => receiver_id === id)).toMatchObject(
    {
      why: "approved_after_rejection",
    },
  );
  // That provider is not configured here, so a user checks again.
  await operator.patch(`/s/${caller.subaccountId}/receivers/${id}`, { first_name: "Grace" });
  expect(await caseOf(id)).toMatchObject({ waits: true, kyc_status: "pending" });
});

test.each([
  ["approve", "approve", { reason: "met in person" }, "completed"],
  ["reject", "reject", { ...reject, final: true }, "failed"],
] as const)(
  "the event shown before %s is the event that is sent",
  async (what, verdict, body, kyc_status) => {
    const id = await create();
    const { verdicts } = await caseOf(id);
    expect(verdicts[verdict]).toMatchObject({ is_allowed: true, needs_second: false });
    const done = await decide(operator, id, what, body);
    expect(done.json).toMatchObject({ is_decided: true, kyc_status });
    const sent = await sentOf(id);
    expect(sent).toHaveLength(1);
    expect(timeless(sent[0] as string)).toBe(timeless(verdicts[verdict].event));
    expect(JSON.parse(sent[0] as string).status).toBe(kyc_status);
    expect(await queue(operator)).not.toContain(id);
    expect(await actionsOn(id)).toEqual([`review.${what}`]);
    const { rows } = (await operator.get("/reviews?tab=decided")).json;
    expect(rows[0]).toMatchObject({ receiver_id: id, decision: { who: operator.who } });
  },
);

test("a receiver who is asked for more, or may retry, stays in the queue, and no event is sent", async () => {
  const id = await create();
  expect((await caseOf(id)).verdicts.retry).toMatchObject({ is_allowed: true, event: null });
  await decide(operator, id, "need-more", { note: "a proof of address, please" });
  await decide(operator, id, "reject", { ...reject, final: false });
  expect(await sentOf(id)).toEqual([]);
  const { json } = await operator.get("/reviews");
  expect(json.rows.at(-1)).toMatchObject({ receiver_id: id, why: "asked_for_more" });
  const { reports, history } = await caseOf(id);
  expect(reports[0]).toMatchObject({ outcome: "retry", labels: ["document_expired"] });
  expect(history[0].reason).toBe("Document expired: passport of 2019");
});

test("CONS601: a case is assigned to one user at a time, and any user can take a released case", async () => {
  const id = await create();
  const other = service.enter("admin");
  const claims = await Promise.all([operator, other].map((one) => one.post(`${pathOf(id)}/claim`)));
  expect(claims.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [winner, loser] = claims[0]?.status === 200 ? [operator, other] : [other, operator];
  expect(await queue(winner, "tab=mine")).toEqual([id]);
  expect(await queue(loser, "tab=mine")).toEqual([]);
  expect(await queue(loser, "tab=unassigned")).not.toContain(id);
  expect(codeOf(await decide(loser, id, "approve", { reason: "x" }))).toBe("CONS601");

  await winner.post(`${pathOf(id)}/skip`);
  expect(await queue(winner, "tab=unassigned")).toContain(id);
  await winner.post(`${pathOf(id)}/claim`);
  await service.db.pool.query("update review_assignment set until_ms = 0 where receiver_id = $1", [
    id,
  ]);
  expect((await decide(loser, id, "approve", { reason: "x" })).json.is_decided).toBe(true);
  expect(await actionsOn(id)).toEqual([
    ...["review.claim", "review.skip", "review.claim", "review.approve"],
  ]);
});

test("CONS602: a decision about a receiver who has changed since is refused", async () => {
  const id = await create();
  const { version } = await caseOf(id);
  await caller.disburse.receivers.update(id, { last_name: "Another" });
  const late = await operator.post(`${pathOf(id)}/approve`, { version, reason: "x" });
  expect(codeOf(late)).toBe("CONS602");
  expect(await sentOf(id)).toEqual([]);
});

test("CONS603: a receiver that resembles another needs two users, and one user counts once", async () => {
  const number = "73219999";
  const twin = await create({ last_name: "Twin", dob: "1980-02-03", phone: "499111222" });
  await addAccount(service, caller.subaccountId, twin, number);
  const id = await create({ last_name: "TWIN", dob: "1980-02-03", phone: "499111222" });
  await addAccount(service, caller.subaccountId, id, number);
  // The same bank and the same last digits, but another account.
  const stranger = await create();
  await addAccount(service, caller.subaccountId, stranger, "88889999");
  // The same receiver in another subaccount does not count.
  const other = await service.newCaller({ mode: "live" });
  await create({ last_name: "Twin", dob: "1980-02-03", phone: "499111222" }, other);

  const seen = await caseOf(id);
  const found = seen.duplicates.map((one: { kind: string; receiver_id: string }) => [
    ...[one.kind, one.receiver_id],
  ]);
  expect(found).toEqual([
    ["phone", twin],
    ["birth", twin],
    ["bank_account", twin],
  ]);
  expect(seen.verdicts.approve).toMatchObject({ needs_second: true, needs_proof: false });

  const first = await decide(operator, id, "approve", { reason: "x" });
  expect(first.json).toMatchObject({ is_decided: false, kyc_status: "pending" });
  expect(codeOf(await decide(operator, id, "approve", { reason: "x" }))).toBe("CONS603");
  expect(await sentOf(id)).toEqual([]);

  const second = service.enter("admin");
  const { verdicts, approvals } = await caseOf(id, second);
  expect(approvals).toMatchObject([{ who: operator.who, is_mine: false }]);
  expect(verdicts.approve.needs_second).toBe(false);
  expect((await decide(second, id, "approve", { reason: "x" })).json.is_decided).toBe(true);
  expect(await actionsOn(id)).toEqual(["review.approve-first", "review.approve"]);
});

test("CONS408: a user whom the first reviewer let in is no second reviewer until another admin confirms", async () => {
  const id = await create();
  await decide(operator, id, "reject", { ...reject, final: true });
  const [first, puppet] = [service.enter("admin"), service.enter("operator")];
  await Promise.all([first.ready, puppet.ready]);
  await service.db.pool.query(
    "insert into user_vouch (user_id, voucher, at_ms) values ($1, $2, 1)",
    [puppet.person.id, first.who],
  );
  const approved = await decide(first, id, "approve", { reason: "x" });
  expect(approved.json).toMatchObject({ is_decided: false });
  expect((await caseOf(id, puppet)).verdicts.approve.needs_second).toBe(true);
  expect(codeOf(await decide(puppet, id, "approve", { reason: "x" }))).toBe("CONS408");
  expect((await decide(operator, id, "approve", { reason: "x" })).json.is_decided).toBe(true);
});

test("an override needs a fresh proof, and after a failed check two users", async () => {
  const id = await create();
  await decide(operator, id, "reject", { ...reject, final: true });
  const lately = service.enter("operator", { provenAtMs: Date.now() - 301_000 });
  const { verdicts } = await caseOf(id);
  expect(verdicts.approve).toMatchObject({ needs_proof: true, needs_second: true });
  expect(verdicts.reject.is_allowed).toBe(false);
  expect(codeOf(await decide(lately, id, "approve", { reason: "x" }))).toBe("CONS103");

  await decide(operator, id, "approve", { reason: "x" });
  const second = service.enter("admin");
  const shown = (await caseOf(id, second)).verdicts.approve.event;
  await decide(second, id, "approve", { reason: "x" });
  expect(timeless((await sentOf(id)).at(-1) as string)).toBe(timeless(shown));

  // For a completed check, a rejection is the override.
  expect(codeOf(await decide(lately, id, "reject", { ...reject, final: true }))).toBe("CONS103");
  const rejected = await decide(operator, id, "reject", { ...reject, final: true });
  expect(rejected.json).toMatchObject({ status: "inactive", kyc_status: "failed" });
});

test("a case is not found under another subaccount", async () => {
  const id = await create();
  const other = await service.newCaller({ mode: "live" });
  expect(codeOf(await operator.get(pathOf(id, other.subaccountId)))).toBe("CONS110");
  const claimed = await operator.post(`${pathOf(id, other.subaccountId)}/claim`);
  expect(codeOf(claimed)).toBe("REVR101");
});
