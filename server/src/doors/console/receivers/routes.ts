// /console/api/s/<subaccount>/receivers: list, export, create, read and change receivers; the account fields of a
// country; reveal an account number, close an account

import { Readable } from "node:stream";
import Type from "typebox";
import { accountSchema } from "../../../people/account-rules/index.ts";
import {
  AccountSchema,
  closeReceiverAccount,
  revealNumber,
} from "../../../people/accounts/index.ts";
import { createPersonLink, type MakePersonLink } from "../../../people/kyc/index.ts";
import { requestErasure } from "../../../people/privacy/index.ts";
import {
  activateReceiver,
  createReceiver,
  deactivateReceiver,
  editReceiver,
  type ReceiverActParts,
  restartIdentityCheck,
  type States,
} from "../../../people/receivers/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { exportReceiver } from "../../exports/index.ts";
import {
  AccountFormQuery,
  CreatedByUser,
  codedStates,
  ErasureRequested,
  PersonLinkShown,
  ReceiverDetail,
  ReceiverForm,
  ReceiverLine,
  ReceiverStates,
  ReceiversExport,
  ReceiversFilter,
  Revealed,
} from "../../review-list/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { inSubaccount, sendAttachment } from "../route.ts";
import type { WordIndexer } from "../search/word-indexer.ts";
import type { WriteParts } from "../write-parts.ts";
import { readReceiver } from "./detail.ts";
import { receiverForm } from "./form.ts";
import { readReceiverPage, receiverCsvColumns, toReceiverCells } from "./list.ts";

export type ReceiverScreenParts = WriteParts &
  ReceiverActParts & {
    makePersonLink: MakePersonLink;
    retention: Retention;
    words: WordIndexer;
  };

const path = "/console/api/s/:subaccountId";

const OfReceiver = Type.Object({ subaccountId: Type.String(), id: Type.String() });

export function receiverScreenRoutes(api: Api, parts: ReceiverScreenParts): void {
  const { db, seal } = parts;

  listRoute(api, `${path}/receivers`, {
    query: ReceiversFilter,
    row: ReceiverLine,
    find: ({ subaccountId, query }) => readReceiverPage(parts, subaccountId, query),
    csv: {
      name: "receivers",
      query: ReceiversExport,
      columns: receiverCsvColumns,
      cells: toReceiverCells,
    },
  });

  actRoute(api, parts, `POST ${path}/receivers`, createReceiver, {
    response: CreatedByUser,
    answer: (receiver_id) => ({ receiver_id }),
  });

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

  const states = {
    response: ReceiverStates,
    answer: ({ id, ...states }: States & { id: string }) => ({ id, ...codedStates(states) }),
  };
  const one = `${path}/receivers/:id`;
  actRoute(api, parts, `PATCH ${one}`, editReceiver, states);
  actRoute(api, parts, `POST ${one}/disable`, deactivateReceiver, states);
  actRoute(api, parts, `POST ${one}/enable`, activateReceiver, states);
  actRoute(api, parts, `POST ${one}/kyc`, restartIdentityCheck, states);
  actRoute(api, parts, `POST ${one}/kyc-link`, createPersonLink, {
    response: PersonLinkShown,
    answer: ({ url, expiresAtMs }) => ({ url, expires_at: expiresAtMs }),
  });
  actRoute(api, parts, `POST ${one}/erase`, requestErasure, {
    response: ErasureRequested,
    answer: (request_id) => ({ request_id }),
  });
  actRoute(api, parts, `POST ${one}/export`, exportReceiver, {
    send: ({ id, text }, reply) => {
      const file = { name: `receiver-${id}.json`, bytes: Buffer.byteLength(text) };
      return sendAttachment(reply, file, Readable.from([text]));
    },
  });

  api.get(
    "/console/api/s/:subaccountId/account-form",
    {
      config: { may: "read" },
      schema: { querystring: AccountFormQuery, response: { 200: AccountSchema } },
    },
    async ({ query: { country } }) => accountSchema(country),
  );

  actRoute(api, parts, `POST ${path}/accounts/:id/reveal`, revealNumber, {
    response: Revealed,
    answer: (account_number) => ({ account_number }),
  });
  actRoute(api, parts, `POST ${path}/accounts/:id/close`, closeReceiverAccount);
}
