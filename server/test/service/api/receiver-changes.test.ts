// Changes that callers make to receivers, with their history and events.

import type { Receiver, ReceiverChange } from "@disburse/client";
import { describe, expect, test } from "vitest";
import {
  type KycStatus,
  kycStatuses,
  receiverStatuses,
} from "../../../src/people/receivers/receiver.ts";
import { nextStates, type States, type Transition } from "../../../src/people/receivers/states.ts";
import { ada } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();

async function newReceiver(changes: Parameters<typeof ada>[0] = {}): Promise<Receiver> {
  const { receiver_id } = await caller.disburse.receivers.create(ada(changes));
  return caller.disburse.receivers.get(receiver_id);
}

/** A receiver in any pair of states, also those that take long to reach. */
async function receiverIn({ status, kyc_status }: States): Promise<Receiver> {
  const { id } = await newReceiver();
  await service.db.pool.query(
    "update receiver set status = $3, kyc_status = $4 where subaccount_id = $1 and id = $2",
    [caller.subaccountId, id, status, kyc_status],
  );
  return caller.disburse.receivers.get(id);
}

async function eventsOf(receiverId: string): Promise<string[]> {
  const { rows } = await service.db.pool.query(
    "select body from event where subaccount_id = $1 and order_key = $2 order by number",
    [caller.subaccountId, receiverId],
  );
  return rows.map(({ body }) => body);
}

const historyOf = (id: string) => caller.disburse.receivers.history(id).toArray();

const everyState = receiverStatuses.flatMap((status) =>
  kycStatuses.map((kyc_status): States => ({ status, kyc_status })),
);

describe("PATCH /api/receiver/<id>", () => {
  test("changes only the sent fields, and returns the receiver", async () => {
    const before = await newReceiver({ reference: "staff-1" });
    const change = {
      phone: "498765432",
      address: "20 Collins Street",
      postcode: "0800",
      state: "NT",
    };
    const after = await caller.disburse.receivers.update(before.id, change);
    const { phone, ...place } = change;
    expect(after).toEqual({
      ...before,
      phone,
      address_data: { ...before.address_data, ...place },
    });
    expect(await caller.disburse.receivers.get(before.id)).toEqual(after);
  });

  test("makes no history and no event when no value changes", async () => {
    const before = await newReceiver();
    expect(await caller.disburse.receivers.update(before.id, {})).toEqual(before);
    const same = { first_name: before.first_name, email: before.email };
    expect(await caller.disburse.receivers.update(before.id, same)).toEqual(before);
    expect(await historyOf(before.id)).toHaveLength(1);
    expect(await eventsOf(before.id)).toEqual([]);
  });

  test.each<[ReceiverChange, string]>([
    [{ first_name: "Augusta" }, "first_name"],
    [{ middle_name: "King" }, "middle_name"],
    [{ last_name: "Byron" }, "last_name"],
    [{ dob: "1991-01-01" }, "dob"],
  ])(
    "with another identity, %o, moves the check back to pending and sends an event",
    async (change, field) => {
      const { id } = await receiverIn({ status: "active", kyc_status: "completed" });
      const after = await caller.disburse.receivers.update(id, change);
      expect(after).toMatchObject({ ...change, status: "active", kyc_status: "pending" });
      const [newest, created] = await historyOf(id);
      expect(newest).toMatchObject({
        who: `key:${caller.key}`,
        reason: `changed ${field}`,
        from: { status: "active", kyc_status: "completed" },
        to: { status: "active", kyc_status: "pending" },
      });
      expect(created).toMatchObject({ id, reason: "created", from: null });
      const [event, ...others] = await eventsOf(id);
      const timestamp = Number(newest?.when);
      expect(event).toBe(
        `{"event":"receiverKycUpdate","receiver_id":"${id}","status":"pending",` +
          `"subccount_id":"${caller.subaccountId}","timestamp":${timestamp}}`,
      );
      expect(others).toEqual([]);
    },
  );

  test("with a corrected name checks a failed receiver again", async () => {
    const { id } = await receiverIn({ status: "failed", kyc_status: "failed" });
    const after = await caller.disburse.receivers.update(id, { last_name: "King" });
    expect(after).toMatchObject({ status: "pending", kyc_status: "pending" });
  });

  test("with a new email, gender or address keeps the identity", async () => {
    const { id } = await receiverIn({ status: "active", kyc_status: "completed" });
    const change = { email: ada().email, gender: "X", address: "2 High Street", reference: "r" };
    const after = await caller.disburse.receivers.update(id, change);
    expect(after).toMatchObject({ status: "active", kyc_status: "completed", gender: "X" });
    expect(await eventsOf(id)).toEqual([]);
    expect((await historyOf(id))[0]?.reason).toBe("changed email, address, gender, reference");
  });

  test("REVR201: refuses a taken email in any case, and accepts the receiver's own in another case", async () => {
    const [one, other] = [await newReceiver(), await newReceiver()];
    const taken = caller.disburse.receivers.update(one.id, { email: other.email.toUpperCase() });
    await expect(taken).rejects.toMatchObject({ status: 400, code: "REVR201" });
    const louder = one.email.toUpperCase();
    const after = await caller.disburse.receivers.update(one.id, { email: louder });
    expect(after.email).toBe(louder);
  });

  test("REVR101: refuses an unknown, a foreign and a malformed id alike", async () => {
    const foreign = await service.newCaller();
    const { receiver_id } = await foreign.disburse.receivers.create(ada());
    const ids = [receiver_id, "01890000-0000-7000-8000-000000000000", "nonsense"];
    for (const method of ["PATCH", "DELETE"] as const) {
      const answers = await Promise.all(
        ids.map((id) => caller.call(method, `/api/receiver/${id}`, { body: {} })),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.json.error).toEqual([
        { code: "REVR101", message: "Receiver ID not found" },
      ]);
    }
    const untouched = await foreign.disburse.receivers.get(receiver_id);
    expect(untouched.status).toBe("pending");
  });

  test("reports every problem at once, also between stored and sent fields", async () => {
    const { id } = await newReceiver();
    const { status, json } = await caller.call("PATCH", `/api/receiver/${id}`, {
      body: { first_name: "", dob: "tomorrow", country: null, naem: "x", status: "pending" },
    });
    expect(status).toBe(400);
    expect(json.message).toBe("update receiver failed");
    expect(
      json.error.map(({ code, field }: { code: string; field: string }) => [code, field]),
    ).toEqual([
      ["REVR215", "first_name"],
      ["REVR227", "dob"],
      ["REVR225", "country"],
      ["REVR233", "status"],
      ["REVR231", "naem"],
    ]);
    // The postcode is fine for some country, but not for the one that stays.
    const misfit = await caller.call("PATCH", `/api/receiver/${id}`, {
      body: { postcode: "SW1A 1AA" },
    });
    expect(misfit.json.error).toMatchObject([{ code: "REVR224", field: "postcode" }]);
    expect(await historyOf(id)).toHaveLength(1);
  });

  test("refuses an empty state or postcode where the country has one, also after a move there", async () => {
    const { id } = await newReceiver();
    const change = (body: object) => caller.call("PATCH", `/api/receiver/${id}`, { body });
    expect((await change({ state: "", postcode: "" })).json.error).toMatchObject([
      { code: "REVR223", field: "state" },
      { code: "REVR224", field: "postcode" },
    ]);
    const moved = await change({ country: "HKG", state: "", postcode: "", city: "Kowloon" });
    expect(moved.json.payload.address_data).toMatchObject({ country: "HKG", state: "" });
    expect((await change({ country: "USA", postcode: "10001" })).json.error).toMatchObject([
      { code: "REVR223", field: "state" },
    ]);
  });

  test("keeps both of two concurrent changes", async () => {
    const { id } = await newReceiver();
    await Promise.all([
      caller.disburse.receivers.update(id, { first_name: "Augusta" }),
      caller.disburse.receivers.update(id, { last_name: "King" }),
      caller.disburse.receivers.update(id, { address2: "Level 9" }),
    ]);
    const after = await caller.disburse.receivers.get(id);
    expect(after).toMatchObject({ first_name: "Augusta", last_name: "King" });
    expect(after.address_data.address2).toBe("Level 9");
    expect(await historyOf(id)).toHaveLength(4);
  });
});

describe("REVR302: a change that the state tables forbid is refused, from every state", () => {
  const acts: [string, Transition, (id: string) => Promise<unknown>][] = [
    ["DELETE", "disabled", (id) => caller.disburse.receivers.delete(id)],
    [
      "PATCH inactive",
      "disabled",
      (id) => caller.disburse.receivers.update(id, { status: "inactive" }),
    ],
    ["PATCH active", "enabled", (id) => caller.disburse.receivers.update(id, { status: "active" })],
    ["POST kyc", "restarted", (id) => caller.disburse.receivers.restartKyc(id)],
    [
      "PATCH name",
      "identityChanged",
      (id) => caller.disburse.receivers.update(id, { last_name: "K" }),
    ],
  ];
  test.each(acts)("%s", async (_name, transition, act) => {
    for (const from of everyState) {
      const { id } = await receiverIn(from);
      const to = nextStates(from, transition);
      if (to) await act(id);
      else await expect(act(id)).rejects.toMatchObject({ status: 409, code: "REVR302" });
      const { status, kyc_status } = await caller.disburse.receivers.get(id);
      expect({ from, status, kyc_status }).toEqual({ from, ...(to ?? from) });
      const isTold = to !== undefined && to.kyc_status !== from.kyc_status;
      expect(await eventsOf(id)).toHaveLength(isTold ? 1 : 0);
    }
  });

  test("the message names the change and the state", async () => {
    const { id } = await newReceiver();
    const { json } = await caller.call("DELETE", `/api/receiver/${id}`);
    expect(json).toEqual({
      message: "delete receiver failed",
      error: [
        {
          code: "REVR302",
          message:
            "Change is not allowed in this state: a receiver that is pending, with KYC pending, can't be deactivated",
        },
      ],
    });
  });
});

describe("DELETE /api/receiver/<id>", () => {
  test("makes the receiver inactive, keeps its email taken, and is done once if it is repeated", async () => {
    const { id, email } = await receiverIn({ status: "active", kyc_status: "completed" });
    const once = await caller.disburse.receivers.delete(id);
    expect(once).toEqual({ receiver_id: id, status: "inactive" });
    expect(await caller.disburse.receivers.delete(id)).toEqual(once);
    expect(await historyOf(id)).toHaveLength(2);
    const again = caller.disburse.receivers.create(ada({ email }));
    await expect(again).rejects.toMatchObject({ code: "REVR201" });
    const enabled = await caller.disburse.receivers.update(id, { status: "active" });
    expect(enabled.status).toBe("active");
  });

  test("makes one change of twenty concurrent requests", async () => {
    const { id } = await receiverIn({ status: "active", kyc_status: "completed" });
    await Promise.all(Array.from({ length: 20 }, () => caller.disburse.receivers.delete(id)));
    expect(await historyOf(id)).toHaveLength(2);
  });
});

describe("POST /api/receiver/<id>/kyc", () => {
  test("restarts a failed check, responds like a creation, and sends an event", async () => {
    const { id } = await receiverIn({ status: "failed", kyc_status: "failed" });
    const restarted = await caller.disburse.receivers.restartKyc(id);
    expect(restarted).toEqual({ receiver_id: id, kyc_status: "0" });
    const { status, kyc_status } = await caller.disburse.receivers.get(id);
    expect({ status, kyc_status }).toEqual({ status: "pending", kyc_status: "pending" });
    expect((await eventsOf(id)).map((body) => JSON.parse(body).status)).toEqual(["pending"]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["a restart", (id) => caller.disburse.receivers.restartKyc(id)],
    ["a new name", (id) => caller.disburse.receivers.update(id, { last_name: "Byron" })],
  ])("after %s, earlier reports of the provider no longer count", async (_, change) => {
    const { id } = await receiverIn({ status: "failed", kyc_status: "failed" });
    const beforeMs = Date.now();
    await change(id);
    const read = "select kyc_reported_at_ms as at_ms from receiver where id = $1";
    const { rows } = await service.db.pool.query(read, [id]);
    expect(Number(rows[0].at_ms)).toBeGreaterThanOrEqual(beforeMs);
  });

  test("restarts once for twenty concurrent requests", async () => {
    const { id } = await receiverIn({ status: "failed", kyc_status: "failed" });
    const path = `/api/receiver/${id}/kyc`;
    const calls = Array.from({ length: 20 }, () => caller.call("POST", path, { version: 2 }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test("REVR231, REVR232: accepts no body, and refuses an invalid one", async () => {
    const { id } = await receiverIn({ status: "failed", kyc_status: "failed" });
    const path = `/api/receiver/${id}/kyc`;
    const unknown = await caller.call("POST", path, { body: { level: "high" } });
    expect(unknown.json.error).toMatchObject([{ code: "REVR231", field: "level" }]);
    const broken = await caller.call("POST", path, { raw: "[1]" });
    expect(broken.json.error).toMatchObject([{ code: "REVR232" }]);
    expect((await caller.call("POST", path)).status).toBe(200);
  });
});

describe("GET /api/receiver/<id>/history", () => {
  test("is newest first, in pages, and ends with the creation", async () => {
    const { id, created_at } = await newReceiver();
    for (const address2 of ["1", "2", "3", "4"]) {
      await caller.disburse.receivers.update(id, { address2 });
    }
    const whole = await historyOf(id);
    expect(whole.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 4 }, () => "changed address2"),
      "created",
    ]);
    expect(whole.at(-1)).toEqual({
      id,
      when: created_at,
      who: `key:${caller.key}`,
      reason: "created",
      from: null,
      to: { status: "pending", kyc_status: "pending" },
    });
    const paged = await caller.disburse.receivers.history(id, { limit: 2 }).toArray();
    expect(paged).toEqual(whole);
  });

  test("refuses a foreign receiver with REVR101, and parameters with REVR401, REVR404 and REVR405", async () => {
    const { id } = await newReceiver();
    const stranger = await service.newCaller();
    const foreign = await stranger.call("GET", `/api/receiver/${id}/history`);
    expect(foreign.json).toEqual({
      message: "get receiver history failed",
      error: [{ code: "REVR101", message: "Receiver ID not found" }],
    });
    const bad = await caller.call("GET", `/api/receiver/${id}/history?limit=0&cursor=x&sort=up`);
    expect(bad.json.error.map(({ code }: { code: string }) => code)).toEqual([
      "REVR401",
      "REVR404",
      "REVR405",
    ]);
  });
});

describe("filters", () => {
  test("email finds the receiver with this email in any case", async () => {
    const one = await newReceiver();
    const found = await caller.disburse.receivers
      .list({ email: one.email.toUpperCase() })
      .toArray();
    expect(found).toEqual([one]);
    const other: { kyc_status: KycStatus } = { kyc_status: "failed" };
    expect(await caller.disburse.receivers.list({ email: one.email, ...other }).toArray()).toEqual(
      [],
    );
    const stranger = await service.newCaller();
    expect(await stranger.disburse.receivers.list({ email: one.email }).toArray()).toEqual([]);
  });

  test("reference finds every receiver with it, newest first, in pages, combined with other filters", async () => {
    const reference = "batch 7 / 007";
    const made = [];
    for (let index = 0; index < 5; index++) made.push(await newReceiver({ reference }));
    made.reverse();
    const list = (filter: object) =>
      caller.disburse.receivers.list({ reference, ...filter }).toArray();
    expect(await list({})).toEqual(made);
    expect(await list({ limit: 2 })).toEqual(made);
    expect(await list({ status: "pending" })).toEqual(made);
    expect(await list({ status: "active" })).toEqual([]);
    expect(await list({ email: made[1]?.email })).toEqual([made[1]]);
  });

  test("REVR406, REVR407: empty and impossible values are refused", async () => {
    const { json } = await caller.call("GET", "/api/receiver?email=nobody&reference=");
    expect(json.error).toMatchObject([
      { code: "REVR406", field: "email" },
      { code: "REVR407", field: "reference" },
    ]);
  });
});
