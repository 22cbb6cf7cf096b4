// Every encrypted column, once. `disburse master-key` counts these and encrypts them again; a test compares the list with
// the schema. To add one: its table and column, its primary key, and the identity that its values are bound to.

import {
  fieldsIdentity,
  settingsIdentity,
  sftpIdentity,
  updateSettingsHash,
} from "../../banking/connections/index.ts";
import { batchChunkIdentity } from "../../banking/files/index.ts";
import { inboundChunkIdentity } from "../../banking/inbound-files/index.ts";
import { requestChunkIdentity, requestInputIdentity } from "../../banking/requests/index.ts";
import { proposalIdentity } from "../../people/accounts/index.ts";
import {
  accountNumberIdentity,
  contactIdentity,
  personIdentity,
  personKeyIdentity,
} from "../../people/person/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { answerIdentity } from "../../platform/idempotency/index.ts";
import { secretIdentity } from "../../tenants/api-keys/index.ts";
import { masterKeyCheckIdentity } from "../../tenants/installation/index.ts";
import { operatorAnswerIdentity } from "../../tenants/operator-tokens/index.ts";
import { endpointSecretIdentity, headersIdentity } from "../../webhooks/webhook-endpoints/index.ts";

type KeyType = "uuid" | "text" | "integer" | "boolean";
/** A value of a primary key, as text. */
export type KeyValues = readonly string[];

export type EncryptedColumn = {
  table: string;
  column: string;
  /** The primary key in its order: name and type of each part. */
  key: readonly (readonly [name: string, type: KeyType])[];
  identityOf(...key: string[]): string;
  /** Base64 in a text column, where only some rows are encrypted. The others are JSON. */
  isBase64?: true;
  /** The column with the receiver under whose key the value comes, or with its account. */
  receiver?: "id" | "receiver_id" | "account_id";
  /** Large values: fewer are encrypted again at a time. */
  isLarge?: true;
  /** Changes what depends on the stored bytes, in the same transaction. */
  onChange?(tx: Tx, before: Buffer, after: Buffer): Promise<void>;
};

export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: "installation",
    column: "master_key_check",
    key: [["only_row", "boolean"]],
    identityOf: () => masterKeyCheckIdentity,
  },
  {
    table: "api_secret",
    column: "sealed",
    key: [
      ["key", "text"],
      ["id", "uuid"],
    ],
    identityOf: (key, id) => secretIdentity(key as string, id as string),
  },
  {
    table: "operator_answer",
    column: "answer",
    key: [
      ["token_id", "uuid"],
      ["key", "text"],
    ],
    identityOf: (tokenId, key) => operatorAnswerIdentity(tokenId as string, key as string),
  },
  {
    table: "webhook_endpoint_secret",
    column: "sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId, id) => endpointSecretIdentity(subaccountId as string, id as string),
  },
  {
    table: "webhook_endpoint",
    column: "headers_sealed",
    key: [["subaccount_id", "uuid"]],
    identityOf: (subaccountId) => headersIdentity(subaccountId as string, ""),
  },
  {
    table: "further_endpoint",
    column: "headers_sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["endpoint_id", "uuid"],
    ],
    identityOf: (subaccountId, id) => headersIdentity(subaccountId as string, id as string),
  },
  {
    table: "further_endpoint_secret",
    column: "sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["endpoint_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId = "", endpointId = "", id = "") =>
      endpointSecretIdentity({ subaccountId, endpointId }, id),
  },
  {
    table: "receiver",
    column: "person_key",
    key: [
      ["subaccount_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId, id) => personKeyIdentity(subaccountId as string, id as string),
  },
  {
    table: "receiver",
    column: "person_sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId, id) => personIdentity(subaccountId as string, id as string),
    receiver: "id",
  },
  {
    table: "receiver_account",
    column: "contact_sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId, id) => contactIdentity(subaccountId as string, id as string),
    receiver: "receiver_id",
  },
  {
    table: "bank_details",
    column: "account_number_sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["account_id", "uuid"],
      ["version", "integer"],
    ],
    identityOf: (subaccountId, accountId, version) =>
      accountNumberIdentity(subaccountId as string, accountId as string, Number(version)),
    receiver: "account_id",
  },
  {
    table: "bank_details_change",
    column: "proposal_sealed",
    key: [
      ["subaccount_id", "uuid"],
      ["id", "uuid"],
    ],
    identityOf: (subaccountId, id) => proposalIdentity(subaccountId as string, id as string),
    receiver: "receiver_id",
  },
  {
    table: "bank_connection",
    column: "settings_sealed",
    key: [["id", "uuid"]],
    identityOf: (id) => settingsIdentity(id as string),
    // A waiting request names the settings that it is about by the hash of their bytes.
    onChange: updateSettingsHash,
  },
  {
    table: "bank_connection",
    column: "sftp_sealed",
    key: [["id", "uuid"]],
    identityOf: (id) => sftpIdentity(id as string),
  },
  {
    table: "bank_connection_request",
    column: "fields_sealed",
    key: [["id", "uuid"]],
    identityOf: (id) => fieldsIdentity(id as string),
  },
  {
    table: "bank_request",
    column: "input_sealed",
    key: [["id", "uuid"]],
    identityOf: (id) => requestInputIdentity(id as string),
  },
  {
    table: "bank_request_chunk",
    column: "sealed",
    key: [
      ["request_id", "uuid"],
      ["number", "integer"],
    ],
    identityOf: (requestId, number) => requestChunkIdentity(requestId as string, Number(number)),
    isLarge: true,
  },
  {
    table: "bank_batch_chunk",
    column: "sealed",
    key: [
      ["batch_id", "uuid"],
      ["number", "integer"],
    ],
    identityOf: (batchId, number) => batchChunkIdentity(batchId as string, Number(number)),
    isLarge: true,
  },
  {
    table: "bank_inbound_chunk",
    column: "sealed",
    key: [
      ["file_id", "uuid"],
      ["number", "integer"],
    ],
    identityOf: (fileId, number) => inboundChunkIdentity(fileId as string, Number(number)),
    isLarge: true,
  },
  {
    table: "idempotency_key",
    column: "answer",
    key: [
      ["subaccount_id", "uuid"],
      ["key", "text"],
    ],
    identityOf: (subaccountId, key) => answerIdentity(subaccountId as string, key),
    isBase64: true,
  },
];
