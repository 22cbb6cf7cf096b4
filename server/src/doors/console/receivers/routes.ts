// /console/api/s/<subaccount>/receivers: list, export, create, read and change receivers; the account fields of a
// country; reveal an account number, close an account

import { Readable } from "node:stream";
import Type from "typebox";
import { accountSchema } from "../../../people/account-rules/index.ts";
import { AccountSchema } from "../../../people/accounts/index.ts";
import { createPersonLink, type MakePersonLink } from "../../../people/kyc/index.ts";
import type { NewReceiver, ReceiverKey } from "../../../people/receivers/index.ts";
import { isUuid } from "../../../platform/base/index.ts";
import { csvOf } from "../../../platform/documents/index.ts";
import { NoFields } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import {
  AccountFormQuery,
  CreatedByUser,
  codedStates,
  ErasureRequested,
  NewConsoleReceiver,
  PersonLinkShown,
  ReceiverDetail,
  ReceiverDisable,
  ReceiverEdit,
  ReceiverForm,
  ReceiverStates,
  ReceiversExport,
  ReceiversFilter,
  ReceiversPage,
  Reveal,
  Revealed,
} from "../../review-list/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import {
  consoleCallerOf,
  inSubaccount,
  type SubaccountAccess,
  sendAttachment,
  sendCsv,
} from "../route.ts";
import type { WordIndexer } from "../search/word-indexer.ts";
import { actOnReceiver, type ReceiverAct, type ReceiverActParts } from "./change.ts";
import { closeForUser } from "./close-account.ts";
import { createForUser } from "./create.ts";
import { readReceiver } from "./detail.ts";
import { exportForUser, requestErasure } from "./erase.ts";
import { receiverForm } from "./form.ts";
import { readAllReceivers, readReceiverPage, receiverCsvColumns } from "./list.ts";
import { revealNumber } from "./reveal.ts";

export type ReceiverScreenParts = ReceiverActParts & {
  makePersonLink: MakePersonLink;
  retention: Retention;
  words: WordIndexer;
  /** Called after a commit that may have created background work. */
  onDue?: (() => void) | undefined;
};

const OfSubaccount = Type.Object({ subaccountId: Type.String() });
const OfReceiver = Type.Object({ subaccountId: Type.String(), id: Type.String() });

export function receiverScreenRoutes(api: Api, parts: ReceiverScreenParts): void {
  const { db, seal, onDue } = parts;

  api.get(
    "/console/api/s/:subaccountId/receivers",
    {
      config: { may: "read" },
      schema: {
        params: OfSubaccount,
        querystring: ReceiversFilter,
        response: { 200: ReceiversPage },
      },
    },
    async (request) => readReceiverPage(parts, inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    "/console/api/s/:subaccountId/receivers.csv",
    { config: { may: "export" }, schema: { params: OfSubaccount, querystring: ReceiversExport } },
    async (request, reply) => {
      const nextPage = readAllReceivers(parts, inSubaccount(request).subaccount.id, request.query);
      return sendCsv(reply, "receivers", csvOf(receiverCsvColumns, nextPage));
    },
  );

  api.post(
    "/console/api/s/:subaccountId/receivers",
    {
      config: { may: "receivers.write" },
      schema: {
        params: OfSubaccount,
        body: NewConsoleReceiver,
        response: { 200: CreatedByUser },
      },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const by = { actor: access.actor, caller: consoleCallerOf(access) };
      const { once, ...input } = request.body;
      const receiver_id = await createForUser(parts, by, input as NewReceiver, once);
      onDue?.();
      return { receiver_id };
    },
  );

  api.get(
    "/console/api/s/:subaccountId/receiver-form",
    { config: { may: "read" }, schema: { response: { 200: ReceiverForm } } },
    async () => receiverForm,
  );

  api.get(
    "/console/api/s/:subaccountId/receivers/:id",
    {
      config: { may: "read" },
      schema: { params: OfReceiver, response: { 200: ReceiverDetail } },
    },
    async (request) => {
      const { subaccount, user } = inSubaccount(request);
      const key = { subaccountId: subaccount.id, id: request.params.id.toLowerCase() };
      const showsUsers = user.subaccountIds === undefined;
      const receiver = await readReceiver({ db, seal }, key, { showsUsers });
      if (!receiver) throw new Refusal("CONS110");
      return receiver;
    },
  );

  api.patch(
    "/console/api/s/:subaccountId/receivers/:id",
    {
      config: { may: "receivers.write" },
      schema: { params: OfReceiver, body: ReceiverEdit, response: { 200: ReceiverStates } },
    },
    async (request) =>
      act(requireOpenSubaccount(inSubaccount(request)), request.params.id, {
        kind: "change",
        given: request.body,
      }),
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/disable",
    {
      config: { may: "receivers.write" },
      schema: { params: OfReceiver, body: ReceiverDisable, response: { 200: ReceiverStates } },
    },
    async (request) =>
      act(requireOpenSubaccount(inSubaccount(request)), request.params.id, {
        kind: "disable",
        reason: request.body.reason,
      }),
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/enable",
    {
      config: { may: "receivers.write" },
      schema: { params: OfReceiver, body: NoFields, response: { 200: ReceiverStates } },
    },
    async (request) =>
      act(requireOpenSubaccount(inSubaccount(request)), request.params.id, { kind: "enable" }),
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/kyc",
    {
      config: { may: "receivers.write" },
      schema: { params: OfReceiver, body: NoFields, response: { 200: ReceiverStates } },
    },
    async (request) =>
      act(requireOpenSubaccount(inSubaccount(request)), request.params.id, { kind: "restart_kyc" }),
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/kyc-link",
    {
      config: { may: "receivers.write" },
      schema: { params: OfReceiver, body: NoFields, response: { 200: PersonLinkShown } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const key = keyOf(access, request.params.id);
      const { url, expiresAtMs } = await createPersonLink(parts, key, access.actor);
      return { url, expires_at: expiresAtMs };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/erase",
    {
      config: { may: "receivers.privacy", stepUp: true },
      schema: { params: OfReceiver, body: NoFields, response: { 200: ErasureRequested } },
    },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params.id);
      return { request_id: await requestErasure(parts, key, access.actor) };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/receivers/:id/export",
    {
      config: { may: "receivers.privacy", stepUp: true },
      schema: { params: OfReceiver, body: NoFields },
    },
    async (request, reply) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params.id);
      const text = await exportForUser(parts, key, access.actor);
      const file = { name: `receiver-${key.id}.json`, bytes: Buffer.byteLength(text) };
      return sendAttachment(reply, file, Readable.from([text])) as never;
    },
  );

  api.get(
    "/console/api/s/:subaccountId/account-form",
    {
      config: { may: "read" },
      schema: { querystring: AccountFormQuery, response: { 200: AccountSchema } },
    },
    async ({ query: { country } }) => accountSchema(country),
  );

  api.post(
    "/console/api/s/:subaccountId/accounts/:id/reveal",
    {
      config: { may: "accounts.reveal", stepUp: true },
      schema: { params: OfReceiver, body: Reveal, response: { 200: Revealed } },
    },
    async (request) => {
      const access = inSubaccount(request);
      const key = { subaccountId: access.subaccount.id, id: request.params.id.toLowerCase() };
      const { version } = request.body;
      return { account_number: await revealNumber(parts, key, version, access.actor) };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/accounts/:id/close",
    { config: { may: "accounts.propose" }, schema: { params: OfReceiver, body: NoFields } },
    async (request, reply) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const key = { subaccountId: access.subaccount.id, id: request.params.id.toLowerCase() };
      await closeForUser(parts, key, access.actor);
      return reply.code(204).send();
    },
  );

  function keyOf({ subaccount }: SubaccountAccess, id: string): ReceiverKey {
    if (!isUuid(id)) throw new Refusal("CONS110");
    return { subaccountId: subaccount.id, id: id.toLowerCase() };
  }

  async function act(access: SubaccountAccess, id: string, what: ReceiverAct) {
    const key = keyOf(access, id);
    const states = await actOnReceiver(parts, key, what, access.actor);
    onDue?.();
    return { id: key.id, ...codedStates(states) };
  }
}
