// Test events: a sample body that is delivered like any other event, so that a subaccount can try its endpoint.

import type { TProperties, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { isUuid, newId, newTestEventId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import {
  type EventType,
  eventCatalogue,
  eventName,
  eventSchemas,
} from "../../platform/event-catalogue/index.ts";
import { type Problem, problem, Refusal } from "../../platform/refusals/index.ts";
import { findRealIds, insertEvent } from "./queries.ts";
import type { AnnouncedTestEvent, TestEvent } from "./schema.ts";

export async function insertTestEvent(
  tx: Tx,
  subaccountId: string,
  { type: named = "payoutCreated", set = {} }: TestEvent,
  nowMs: number,
): Promise<AnnouncedTestEvent> {
  const type = named as EventType;
  refuseInvalidFields(type, set);
  await refuseRealIds(tx, subaccountId, set);
  const body = { ...makeBody(type, subaccountId, nowMs), ...set };
  const id = newTestEventId();
  const orderKey = body[orderFields[eventCatalogue[type].subject]] as string;
  const event = { id, type, body: JSON.stringify(body), subaccountId, orderKey, atMs: nowMs };
  const isWanted = await insertEvent(tx, event);
  return { id: eventName(id), type, status: isWanted ? "waiting" : "unsent" };
}

const orderFields = {
  payout: "payout_id",
  batch: "batch_id",
  receiver: "receiver_id",
  account: "receiver_account_id",
  // A balance has no id. The order of all fundings of a subaccount includes that of each balance.
  balance: "subccount_id",
  endpoint: "endpoint_id",
} as const;

/** The example of the catalogue, with random ids and the current time. */
function makeBody(type: EventType, subaccountId: string, nowMs: number): Record<string, unknown> {
  const { example } = eventCatalogue[type];
  const timestamp = typeof example.timestamp === "string" ? String(nowMs) : nowMs;
  const ids = Object.entries(example).flatMap(([name, value]) =>
    typeof value === "string" && isUuid(value) ? [[name, newId()]] : [],
  );
  return { ...example, ...Object.fromEntries(ids), subccount_id: subaccountId, timestamp };
}

/** Validators by event type and field. */
const checks = Object.fromEntries(
  Object.entries(eventSchemas).map(([type, { properties }]) => [
    type,
    new Map(Object.entries(properties as TProperties).map(([name, field]) => [name, fits(field)])),
  ]),
);

function fits(field: TSchema): (value: unknown) => boolean {
  const validator = Compile(field);
  // The format also allows the prefix "urn:uuid:", which our ids never have.
  const isId = (field as { format?: string }).format === "uuid";
  return (value) => validator.Check(value) && (!isId || isUuid(value as string));
}

/** A test event must not look like an event of a real payout, receiver, account or transfer. */
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

function refuseInvalidFields(type: EventType, set: Record<string, unknown>): void {
  const invalid = Object.entries(set).filter(([name, value]) => !checks[type]?.get(name)?.(value));
  const problems: Problem[] = invalid.map(([name]) =>
    problem("EVNT202", `set.${name.slice(0, 100)}`),
  );
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest.slice(0, 99)]);
}
