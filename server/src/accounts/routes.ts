// GET /api/receiveraccount/<id>, GET /api/receiveraccount/receiver/<id>

import Type from "typebox";
import type { Db } from "../db/connect.ts";
import { type Api, ById, success } from "../http/api.ts";
import { isUuid } from "../ids.ts";
import type { FindReceiver } from "../receivers/find.ts";
import { Refusal } from "../refusals.ts";
import type { Seal } from "../seal.ts";
import { findAccount, listAccounts } from "./queries.ts";
import { ReceiverAccount } from "./schema.ts";

export type AccountParts = { db: Db; seal: Seal; findReceiver: FindReceiver };

const tags = ["Receiver accounts"];
const failure = "get receiver account failed";

export function accountRoutes(api: Api, { db, seal, findReceiver }: AccountParts): void {
  api.get(
    "/api/receiveraccount/:id",
    {
      config: { failure, scope: "read", refusals: ["REAC104"] },
      schema: {
        operationId: "getReceiverAccount",
        tags,
        summary: "Get receiver account by id",
        params: ById,
        response: { 200: success(ReceiverAccount) },
      },
    },
    async ({ caller, params: { id } }) => {
      const scoped = { subaccountId: caller.subaccountId, id };
      const account = isUuid(id) && (await findAccount({ db, seal }, scoped));
      if (!account) throw new Refusal("REAC104");
      return { message: "get receiver account successful", payload: account };
    },
  );

  api.get(
    "/api/receiveraccount/receiver/:id",
    {
      config: { failure, scope: "read", refusals: ["REAC101"] },
      schema: {
        operationId: "listReceiverAccounts",
        tags,
        summary: "List receiver accounts of a receiver",
        description: "Newest first. A receiver without accounts gives an empty list.",
        params: ById,
        response: { 200: success(Type.Array(ReceiverAccount)) },
      },
    },
    async ({ caller, params: { id } }) => {
      const receiver = { subaccountId: caller.subaccountId, id };
      if (!(await findReceiver(receiver))) throw new Refusal("REAC101");
      const accounts = await listAccounts({ db, seal }, receiver);
      return { message: "get receiver account successful", payload: accounts };
    },
  );
}
