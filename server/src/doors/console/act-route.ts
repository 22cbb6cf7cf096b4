// The console's door to acts: a route for each, behind the gate. The path names the fields that are not in the body.

import type { FastifyReply } from "fastify";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Db } from "../../platform/db/index.ts";
import {
  type Fields,
  input as fieldsOfBody,
  givenFieldsIn,
  readIds,
  required,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { type Act, type ActParts, doEach, EachResult } from "../../tenants/acts/index.ts";
import { consoleListLimits } from "../lists/index.ts";
import { requireOpenSubaccount } from "./open-subaccount.ts";
import { type ConsoleAccess, inSubaccount, type SubaccountAccess } from "./route.ts";

/** The objects of one act on several. */
export const ManyIds = fieldsOfBody({
  ids: required(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: consoleListLimits.selectedMax,
    }),
  ),
});

type Answer<Output> = {
  /** The fields that the path stands for. */
  fields?: Fields;
  /** What the route sends instead of the result, such as the page as it is now. */
  answer?: (result: Output, access: SubaccountAccess) => unknown;
  /** Its schema, where it is not the one of the act. */
  response?: TSchema;
  bodyLimit?: number;
  /** The body is files, which are the field `files`. */
  takesFiles?: boolean;
  /** Sends it in another way, or with another status. */
  send?: (result: Output, reply: FastifyReply) => FastifyReply;
};

type Method = "post" | "put" | "patch" | "delete";

/** Which act each route carries: a test compares it with the table of acts. */
export const actsByRoute = new Map<string, string>();

/** `route`: the method and the path, such as `POST /console/api/rules/:id/approve`. */
export function actRoute<Input extends TObject, Output, Parts, Given>(
  api: Api,
  parts: ActParts & Parts,
  route: string,
  act: Act<Input, Output, Parts, Given>,
  {
    fields: fixed = {},
    answer,
    response = act.output,
    send,
    bodyLimit,
    takesFiles,
  }: Answer<Output> = {},
): void {
  const { method, url, body } = readRoute(route, act, fixed);
  const attachValidation = act.given !== undefined;
  const schema = { body: act.given ?? body, ...(response && { response: { 200: response } }) };
  const options = {
    attachValidation,
    config: { ...configOf(act), ...(takesFiles && { files: true }) },
    schema,
    ...(bodyLimit && { bodyLimit }),
  };
  actsByRoute.set(route, act.name);
  api[method](url, options, async (request, reply) => {
    const access = accessFor(act, request.access);
    const checked = act.given ? {} : (request.body as Fields);
    const fields = readIds(act.input, { ...fieldsIn(request.params), ...fixed, ...checked });
    const given = act.given && (givenFieldsIn(request) as Given);
    const result = await act.perform(
      partsFor(parts, access),
      access,
      fields as Static<Input>,
      given,
    );
    const plain = reply as unknown as FastifyReply;
    if (send) return send(result, plain) as never;
    if (!response) return plain.code(204).send() as never;
    return (answer ? answer(result, access) : result) as never;
  });
}

/** The same for several objects: `ids` in the body are the field `id` of the act, one after the other. */
export function actRouteForEach<Input extends TObject, Output, Parts>(
  api: Api,
  parts: ActParts & Parts,
  route: string,
  act: Act<Input, Output, Parts>,
): void {
  const { method, url, body } = readRoute(route, act);
  const { id: _one, ...others } = body.properties;
  const several = fieldsOfBody({ ...ManyIds.properties, ...others });
  const schema = { body: several, response: { 200: EachResult } };
  actsByRoute.set(route, act.name);
  api[method](url, { config: configOf(act), schema }, async (request) => {
    const access = accessFor(act, request.access);
    const { ids, ...same } = request.body as Fields & { ids: string[] };
    return doEach(ids, (id) => {
      const given = { ...fieldsIn(request.params), ...same, id };
      const fields = readIds(act.input, given) as Static<Input>;
      return act.perform(partsFor(parts, access), access, fields);
    });
  });
}

type Row = Pick<Act, "may" | "stepUp" | "tokens" | "name" | "summary">;

function configOf({ may, stepUp = false, tokens, name, summary }: Row) {
  return { may, stepUp, ...(tokens && { tokens }), act: { name, summary } };
}

/** A request with an Idempotency-Key is marked as done by the transaction that does it. */
export function partsFor<Parts extends ActParts>(
  parts: Parts,
  { markDone }: Pick<ConsoleAccess, "markDone">,
): Parts {
  if (!markDone) return parts;
  const { db } = parts;
  const transaction: Db["transaction"] = (work, options) =>
    db.transaction(async (tx) => {
      await markDone(tx);
      return work(tx);
    }, options);
  return { ...parts, db: { ...db, transaction } };
}

/** The subaccount in the path is no field. */
function fieldsIn(params: unknown): Fields {
  const { subaccountId: _, ...fields } = params as Fields;
  return fields;
}

/** The user and, where the act is about one, the subaccount in the path. */
function accessFor(act: Pick<Act, "in">, access: ConsoleAccess): SubaccountAccess {
  // What only acts on a subaccount have is read only by them.
  if (act.in === undefined) return access as SubaccountAccess;
  const found = inSubaccount({ access });
  return act.in === "open subaccount" ? requireOpenSubaccount(found) : found;
}

function readRoute(route: string, { input }: { input: TObject }, fixed: Fields = {}) {
  const [method = "", url = ""] = route.split(" ");
  const params = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const { aliases = {}, ...extras } = extrasOf(input) as SchemaExtras;
  // The other names of a field are for callers of the API: a form has one.
  const elsewhere = new Set([...params, ...Object.keys(fixed), ...Object.keys(aliases)]);
  const given = Object.entries(input.properties).filter(([name]) => !elsewhere.has(name));
  // Its code for unknown fields and its rules stay.
  const body = { ...fieldsOfBody(Object.fromEntries(given)), ...extras };
  return { method: method.toLowerCase() as Method, url, body };
}

function extrasOf({ properties: _, required: __, ...extras }: TObject): object {
  return extras;
}
