// An event that nothing happened for: made up, told like any other, so that a subaccount can try its endpoint.

import type { TProperties, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Tx } from "../db/connect.ts";
import { isUuid, newId, newTestEventId } from "../ids.ts";
import { type Problem, problem, Refusal } from "../refusals.ts";
import { eventName } from "./event.ts";
import {
  type OutboxEvent,
  payoutCreated,
  payoutFailure,
  payoutUpdate,
  receiverKycUpdate,
} from "./outbox.ts";
import { findRealIds, insertEvent } from "./queries.ts";
import { type AnnouncedTestEvent, eventSchemas, type TestEvent } from "./schema.ts";

type EventType = keyof typeof eventSchemas;
type Made = { payout_id?: string; receiver_id: string };

export async function announceTestEvent(
  tx: Tx,
  subaccountId: string,
  { type = "payoutCreated", set = {} }: TestEvent,
  nowMs: number,
): Promise<AnnouncedTestEvent> {
  refuseUnfit(type as EventType, set);
  await refuseRealIds(tx, subaccountId, set);
  const event = { ...make(type as EventType, subaccountId, nowMs), id: newTestEventId() };
  const made = { ...JSON.parse(event.body), ...set } as Made;
  const isWanted = await insertEvent(tx, {
    ...{ ...event, body: JSON.stringify(made) },
    ...{ subaccountId, orderKey: made.payout_id ?? made.receiver_id, atMs: nowMs },
  });
  return { id: eventName(event.id), type, status: isWanted ? "waiting" : "unsent" };
}

function make(type: EventType, subaccountId: string, atMs: number): OutboxEvent {
  const receiverId = newId();
  const ids = { subaccountId, payoutId: newId(), receiverId, accountId: newId() };
  const facts = { ...ids, amount: 12_500n, currency: "AUD", reference: "a test", atMs };
  switch (type) {
    case "payoutCreated":
      return payoutCreated(facts);
    case "payoutUpdate":
      return payoutUpdate(facts);
    case "payoutFailure":
      return payoutFailure(facts, "account closed");
    case "receiverKycUpdate":
      return receiverKycUpdate({ subaccountId, receiverId, status: "completed", atMs });
  }
}

/** By event and field. */
const checks = Object.fromEntries(
  Object.entries(eventSchemas).map(([type, { properties }]) => [
    type,
    new Map(Object.entries(properties as TProperties).map(([name, field]) => [name, fits(field)])),
  ]),
);

function fits(field: TSchema): (value: unknown) => boolean {
  const validator = Compile(field);
  // The format would also allow "urn:uuid:", which no id of ours begins with.
  const isId = (field as { format?: string }).format === "uuid";
  return (value) => validator.Check(value) && (!isId || isUuid(value as string));
}

/** What looks like news of a real payout, receiver or account must be news of it. */
async function refuseRealIds(
  tx: Tx,
  subaccountId: string,
  set: Record<string, unknown>,
): Promise<void> {
  const given = Object.entries(set).flatMap(([name, value]) =>
    typeof value === "string" && isUuid(value) ? [{ name, id: value.toLowerCase() }] : [],
  );
  if (given.length === 0) return;
  const ids = given.map(({ id }) => id);
  const real = await findRealIds(tx, subaccountId, ids);
  const problems = given
    .filter(({ id }) => real.has(id))
    .map(({ name }) => problem("EVNT208", `set.${name}`));
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest]);
}

function refuseUnfit(type: EventType, set: Record<string, unknown>): void {
  const unfit = Object.entries(set).filter(([name, value]) => !checks[type]?.get(name)?.(value));
  const problems: Problem[] = unfit.map(([name]) =>
    problem("EVNT202", `set.${name.slice(0, 100)}`),
  );
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest.slice(0, 99)]);
}
