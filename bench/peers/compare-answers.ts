// Sends the same requests to Disburse and to the peer, and fails unless the responses are the same apart from ids and
// times: a peer that does something else would be no comparison.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ask } from "../ask.ts";
import type { Caller } from "../database.ts";
import { type Payer, payerFunds } from "../payees.ts";
import { requestBuilder, sampleReceiver, uniqueEmail } from "../requests.ts";

type Request = Parameters<ReturnType<typeof requestBuilder>>[0];
type Ports = { disburse: number; peer: number };
type Answer = { status: number; text: string };

const anyId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

async function answersOf({ disburse, peer }: Ports, caller: Caller, request: Request) {
  const bytes = requestBuilder(caller, 1)(request);
  const toAnswer = async (port: number): Promise<Answer> => {
    const response = await ask(port, bytes);
    return { status: response.status, text: await response.text() };
  };
  return { disburse: await toAnswer(disburse), peer: await toAnswer(peer) };
}

async function expectSame(ports: Ports, caller: Caller, request: Request, status = 200) {
  const answers = await answersOf(ports, caller, request);
  assert.equal(answers.disburse.status, status, answers.disburse.text);
  const withoutIds = ({ status, text }: Answer) => ({ status, text: text.replace(anyId, "<id>") });
  assert.deepEqual(withoutIds(answers.peer), withoutIds(answers.disburse));
  return answers;
}

export async function compareReads(ports: Ports, caller: Caller, ids: readonly string[]) {
  const read = (id: string): Request => ({ method: "GET", path: `/api/receiver/${id}` });
  for (const id of ids) {
    const { disburse, peer } = await expectSame(ports, caller, read(id));
    assert.equal(peer.text, disburse.text);
  }
  await expectSame(ports, caller, read(randomUUID()), 400);
  await expectSame(ports, caller, read("unknown"), 400);
  const [id = ""] = ids;
  await expectSame(ports, { ...caller, secret: "another" }, read(id), 401);
  await expectSame(ports, { ...caller, key: "unknown" }, read(id), 401);
}

export async function compareReceiverCreations(ports: Ports, caller: Caller) {
  const create = (fields: object, idempotencyKey?: string): Request => ({
    method: "POST",
    path: "/api/receiver",
    body: JSON.stringify({ ...sampleReceiver(uniqueEmail()), ...fields }),
    ...(idempotencyKey && { idempotencyKey }),
  });
  const email = uniqueEmail();
  const created = await expectSame(ports, caller, create({ email }));
  for (const side of ["disburse", "peer"] as const) {
    const { receiver_id } = JSON.parse(created[side].text).payload;
    const path = `/api/receiver/${receiver_id}`;
    const { [side]: read } = await answersOf(ports, caller, { method: "GET", path });
    assert.equal(JSON.parse(read.text).payload.email, email);
  }
  await expectSame(ports, caller, create({ email: email.toUpperCase() }), 400);
  await expectSame(ports, caller, create({ first_name: undefined, country: "Australia" }), 400);
  await expectSame(ports, caller, create({ dob: "2001-02-29", phone: "none" }), 400);
  await expectSame(ports, caller, create({ nickname: "Ada" }), 400);
  await expectRepeated(ports, caller, create({}, randomUUID()), create({}));
}

export async function comparePayoutCreations(
  ports: Ports,
  { caller, receiverId, accountId }: Payer,
) {
  const pay = (fields: object, idempotencyKey?: string): Request => ({
    method: "POST",
    path: "/api/payout/single",
    body: JSON.stringify({
      receiver_id: receiverId,
      account_id: accountId,
      amount: 100,
      currency: "AUD",
      reference: randomUUID(),
      ...fields,
    }),
    ...(idempotencyKey && { idempotencyKey }),
  });
  await expectSame(ports, caller, pay({}));
  await expectSame(ports, caller, pay({ amount: "250" }));
  await expectSame(ports, caller, pay({ amount: Number(payerFunds) }), 409);
  await expectSame(ports, caller, pay({ account_id: randomUUID() }), 400);
  await expectSame(ports, caller, pay({ receiver_id: randomUUID() }), 400);
  await expectSame(ports, caller, pay({ currency: "NZD" }), 400);
  await expectSame(ports, caller, pay({ amount: -1, currency: undefined }), 400);
  await expectSame(ports, caller, pay({ amount: 100, colour: "red" }), 400);
  await expectRepeated(ports, caller, pay({}, randomUUID()), pay({}));
}

/** The same request under its key once more has the same response, and another one under that key is refused. */
async function expectRepeated(ports: Ports, caller: Caller, request: Request, other: Request) {
  const first = await expectSame(ports, caller, request);
  assert.deepEqual(await expectSame(ports, caller, request), first);
  const { idempotencyKey = "" } = request;
  await expectSame(ports, caller, { ...other, idempotencyKey }, 422);
}
