// GET /api/receiveraccount/<id>, GET /api/receiveraccount/receiver/<id>, GET /api/receiveraccount/schema,
// POST /api/receiveraccount, POST /api/receiveraccount/validate,
// PATCH /api/receiveraccount/<id>, DELETE /api/receiveraccount/<id>

import Type from "typebox";
import { accountSchema } from "../../../people/account-rules/index.ts";
import {
  AccountSchema,
  AccountSchemaQuery,
  CreatedReceiverAccount,
  changeAccount,
  createAccount,
  DeletedReceiverAccount,
  deleteAccount,
  findAccount,
  findKeyOfAccountHolder,
  listAccounts,
  NewReceiverAccount,
  ReceiverAccount,
  ReceiverAccountChange,
  ReceiverAccountFilter,
  ReceiverAccountToValidate,
  ValidatedReceiverAccount,
  validateAccount,
} from "../../../people/accounts/index.ts";
import { type FindReceiver, personAnswers } from "../../../people/receivers/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import { type Caller, whoOf } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db, Runner, Tx } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { givenFieldsIn } from "../../../platform/fields/index.ts";
import { type Api, ById, codesOf, sendWritten, success } from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { keyActor, recordAct } from "../../../tenants/audit/index.ts";

type AccountParts = { db: Db; seal: Seal; findReceiver: FindReceiver; screener: Screener };

const tags = ["Receiver accounts"];
const failure = "get receiver account failed";

/** The codes that the country's rules and the body add to the codes of single fields. */
const bodyCodes = ["REAC203", "REAC204", "REAC205", "REAC210", "REAC226", "REAC227"] as const;

export function accountRoutes(api: Api, parts: AccountParts): void {
  const { db, seal, findReceiver, screener } = parts;
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
      const account = await findAccount(
        { db: tracedFor(db, caller), seal },
        { subaccountId: caller.subaccountId, id },
      );
      if (!account) throw new Refusal("REAC104");
      return { message: "get receiver account successful", payload: account };
    },
  );

  api.get(
    "/api/receiveraccount/receiver/:id",
    {
      config: { failure, scope: "read", refusals: ["REAC101", "REAC403"] },
      schema: {
        operationId: "listReceiverAccounts",
        tags,
        summary: "List receiver accounts of a receiver",
        description:
          "Newest first, without closed accounts. The list is empty if the receiver has no " +
          "accounts.",
        params: ById,
        querystring: ReceiverAccountFilter,
        response: { 200: success(Type.Array(ReceiverAccount)) },
      },
    },
    async ({ caller, params: { id }, query: { metadata } }) => {
      const receiver = { subaccountId: caller.subaccountId, id };
      if (!(await findReceiver(receiver, caller.trace))) throw new Refusal("REAC101");
      const accounts = await listAccounts({ db: tracedFor(db, caller), seal }, receiver, metadata);
      return { message: "get receiver account successful", payload: accounts };
    },
  );

  api.get(
    "/api/receiveraccount/schema",
    {
      config: {
        failure: "get receiver account schema failed",
        scope: "read",
        refusals: ["REAC401", "REAC402"],
      },
      schema: {
        operationId: "getReceiverAccountSchema",
        tags,
        summary: "Get the fields of an account in a country",
        description: "As JSON Schema. Use it to build or check a form.",
        querystring: AccountSchemaQuery,
        response: { 200: success(AccountSchema) },
      },
    },
    async ({ query: { country } }) => ({
      message: "get receiver account schema successful",
      payload: accountSchema(country),
    }),
  );

  api.post(
    "/api/receiveraccount",
    {
      attachValidation: true,
      config: {
        failure: "there was an error while creating a receiver account",
        scope: "write",
        badBody: "REAC227",
        refusals: [...codesOf(NewReceiverAccount), ...bodyCodes],
      },
      schema: {
        operationId: "createReceiverAccount",
        tags,
        summary: "Create receiver account",
        description: "getReceiverAccountSchema describes the fields that a country needs.",
        body: NewReceiverAccount,
        response: { 200: success(CreatedReceiverAccount) },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const written = await once(db, caller, async (tx) => ({
        message: "receiver account created successfully",
        payload: await createAccount(
          { tx, seal, screener },
          actorOf(caller),
          givenFieldsIn(request),
        ),
      }));
      return sendWritten(reply, written);
    },
  );

  api.post(
    "/api/receiveraccount/validate",
    {
      attachValidation: true,
      config: {
        failure: "receiver account is not valid",
        scope: "read",
        badBody: "REAC227",
        refusals: [...codesOf(ReceiverAccountToValidate), ...bodyCodes, "REAC228"],
      },
      schema: {
        operationId: "validateReceiverAccount",
        tags,
        summary: "Validate a receiver account",
        description: "Runs the checks of creating an account, and creates nothing.",
        body: ReceiverAccountToValidate,
        response: { 200: success(ValidatedReceiverAccount) },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const validate = async (tx: Tx) => ({
        message: "receiver account is valid",
        payload: await validateAccount(
          { db: tx, seal },
          caller.subaccountId,
          givenFieldsIn(request),
        ),
      });
      // The response contains the account number, so its stored copy is sealed.
      const written = await once(db, caller, validate, { seal });
      return sendWritten(reply, written);
    },
  );

  api.patch(
    "/api/receiveraccount/:id",
    {
      attachValidation: true,
      config: {
        failure: "update receiver account failed",
        scope: "bank_details",
        badBody: "REAC227",
        refusals: [
          "REAC104",
          ...codesOf(ReceiverAccountChange),
          ...bodyCodes,
          "REAC302",
          "AUTH107",
        ],
      },
      schema: {
        operationId: "updateReceiverAccount",
        tags,
        summary: "Update receiver account",
        params: ById,
        body: ReceiverAccountChange,
        response: { 200: success(ReceiverAccount) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const key = { ...actorOf(caller), id: params.id };
      const findKey = (runner: Runner) => findKeyOfAccountHolder({ db: runner, seal }, key);
      const answers = personAnswers({ db, findKey, erased: "REAC302" });
      const change = async (tx: Tx) => {
        const changed = await changeAccount({ tx, seal, screener }, key, givenFieldsIn(request));
        const { account, changedFields } = changed;
        if (changedFields.length > 0) {
          await recordAct({ tx, seal }, keyActor(caller, request.ip), {
            action: "account.change",
            object: { kind: "account", id: account.id },
            after: { fields: changedFields },
          });
        }
        return { message: "receiver account updated successfully", payload: account };
      };
      return sendWritten(reply, await once(db, caller, change, { answers }));
    },
  );

  api.delete(
    "/api/receiveraccount/:id",
    {
      config: {
        failure: "delete receiver account failed",
        scope: "write",
        refusals: ["REAC104", "REAC301"],
      },
      schema: {
        operationId: "deleteReceiverAccount",
        tags,
        summary: "Delete receiver account",
        description:
          "The account is no longer listed and can no longer be paid. You can still read it by " +
          "its id.",
        params: ById,
        response: { 200: success(DeletedReceiverAccount) },
      },
    },
    async ({ caller, params: { id } }, reply) => {
      const { subaccountId } = caller;
      const written = await once(db, caller, async (tx) => ({
        message: "receiver account deleted successfully",
        payload: await deleteAccount(tx, { subaccountId, id }),
      }));
      return sendWritten(reply, written);
    },
  );
}

function actorOf(caller: Caller): { subaccountId: string; who: string } {
  return { subaccountId: caller.subaccountId, who: whoOf(caller) };
}
