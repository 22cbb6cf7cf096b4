// What the published document promises, by its parts. Its spellings and texts are kept byte by byte.

import * as calls from "./calls.ts";
import * as fields from "./fields.ts";
import * as kinds from "./kinds.ts";
import { exactly, text } from "./kinds.ts";
import {
  all,
  at,
  type Check,
  count,
  fieldRows,
  isJson,
  listed,
  listOf,
  ofPath,
  type Promised,
  records,
  refused,
  row,
  status,
} from "./promise.ts";
import { type Call, valueAt } from "./run.ts";
import { forged, without } from "./signature.ts";

/** The operations that are read, and the one that writes. */
const operations = [
  { name: "createReceiver", section: "4.3", call: calls.createReceiver, payload: kinds.object },
  { name: "getReceiver", section: "4.1", call: calls.getReceiver, payload: kinds.object },
  { name: "listReceivers", section: "4.2", call: calls.listReceivers, payload: kinds.array },
  { name: "getAccount", section: "4.4", call: calls.getAccount, payload: kinds.object },
  { name: "listAccounts", section: "4.5", call: calls.listAccounts, payload: kinds.array },
  { name: "getSubaccount", section: "4.6", call: calls.getSubaccount, payload: kinds.object },
];

const failures = [
  {
    name: "getReceiver.unknown",
    section: "4.1",
    call: calls.getUnknown,
    code: "REVR101",
    text: "Receiver ID not found",
    message: "get receiver failed",
    when: "when the receiver id does not exist",
  },
  {
    name: "createReceiver.taken",
    section: "4.3",
    call: calls.createTaken,
    code: "REVR201",
    text: "Email already exist",
    message: "there was an error while creating a receiver",
    when: "when the e-mail already exists",
  },
  // The texts of these two look swapped. This is how they are published.
  {
    name: "getAccount.unknown",
    section: "4.4",
    call: calls.getUnknownAccount,
    code: "REAC104",
    text: "Receiver ID not found",
    message: "get receiver account failed",
    when: "when the account id is not found",
  },
  {
    name: "listAccounts.unknown",
    section: "4.5",
    call: calls.listUnknownAccounts,
    // The document does not say which message this operation has.
    code: "REAC101",
    text: "Receiver Account ID not found",
    message: undefined,
    when: "when the receiver is not found",
  },
];

const { createReceiver, getReceiver, getAccount, listWith, paths, asOther } = calls;

const envelope = [
  ...operations.flatMap(({ name, call, payload }) => [
    row("Envelope", `${name}.json: The response is JSON`, call, isJson),
    row("Envelope", `${name}.has-message: A success has \`message\``, call, at("message", text)),
    row(
      "Envelope",
      `${name}.has-payload: A success has \`payload\`, ${payload.says}`,
      call,
      at("payload", payload),
    ),
  ]),
  ...failures.flatMap(({ name, call }) => [
    row("Envelope", `${name}.json: The response is JSON`, call, isJson),
    row("Envelope", `${name}.has-message: A failure has \`message\``, call, at("message", text)),
    row(
      "Envelope",
      `${name}.has-error: A failure has \`error\`, ${kinds.problems.says}`,
      call,
      at("error", kinds.problems),
    ),
  ]),
];

const unset = "receiver.unset: An optional text that was not sent comes back as an empty string";
const resources = [
  row("2", unset, calls.getMinimal, at("payload.middle_name", exactly(""))),
  ...fieldRows("2.1", "receiver", getReceiver, fields.createdReceiver),
  ...fieldRows("2.2", "account", getAccount, fields.account),
  ...fieldRows("2.3", "subaccount", calls.getSubaccount, fields.subaccount),
];

const filterRow = (section: string, name: string, code: number, word: string) =>
  row(
    section,
    `${name}.${code}: \`${name}=${code}\` lists those that are ${word.toUpperCase()} and no others`,
    listWith(`?${name}=${code}`),
    records({ [name]: exactly(word) }),
  );

const filters = [
  ...calls.statuses.map((word, code) => filterRow("3.1", "status", code, word)),
  ...calls.kycStatuses.map((word, code) => filterRow("3.2", "kyc_status", code, word)),
];

const areBoth = all(
  records({ status: exactly("pending"), kyc_status: exactly("pending") }),
  listed("at most 2 records", (found) => found.length <= 2),
);

const endpoints = [
  ...operations.map(({ name, section, call }) =>
    row(section, `${name}.status: The status of a success is 200`, call, status(200)),
  ),
  ...failures.flatMap(({ name, section, call, code, when }) => [
    row(section, `${name}.status: The status is 400 ${when}`, call, status(400)),
    row(
      section,
      `${name}.code: The code is ${code} ${when}`,
      call,
      at("error.0.code", exactly(code)),
    ),
  ]),
  row("4.1", "getReceiver.asked: The receiver is that of the path", getReceiver, ofPath),
  row("4.4", "getAccount.asked: The account is that of the path", getAccount, ofPath),
  row(
    "4.2",
    "listReceivers.records: Every record has the fields of a receiver",
    calls.listReceivers,
    records(fields.receiver),
  ),
  row("4.2", "limit.1: `limit=1` lists one receiver", listWith("?limit=1"), count(1)),
  row("4.2", "limit.2: `limit=2` lists two receivers", listWith("?limit=2"), count(2)),
  row(
    "4.2",
    "filters.combined: The parameters can be combined in one request",
    listWith("?limit=2&status=1&kyc_status=0"),
    areBoth,
  ),
  row(
    "4.2",
    "filters.own: A receiver is found by the codes of its states",
    calls.listOwnStates,
    count(1),
  ),
  row(
    "4.3",
    "createReceiver.receiver_id: `receiver_id` is a string in UUID form",
    createReceiver,
    at("payload.receiver_id", kinds.uuid),
  ),
  row(
    "4.3",
    "createReceiver.kyc_status: `kyc_status` is the string `0` on creation",
    createReceiver,
    at("payload.kyc_status", exactly("0")),
  ),
  row(
    "4.3",
    "createReceiver.optional: `middle_name` and `reference` may be left out",
    calls.createMinimal,
    status(200),
  ),
  ...[...Object.keys(calls.person), "email"].map((field) =>
    row(
      "4.3",
      `createReceiver.without.${field}: \`${field}\` is required`,
      calls.createWithout(field),
      refused,
    ),
  ),
  row(
    "4.5",
    "listAccounts.records: Every record has the fields of a receiver account",
    calls.listAccounts,
    records(fields.account),
  ),
];

const isNone: Check = ({ json }) => {
  const found = listOf(json).length;
  return { holds: found === 0, expected: "no record", seen: `${found} records` };
};

const isHidden = listed("not the receiver of the first key", (found, run) =>
  found.every((one) => valueAt(one, "email") !== calls.emailOf(run, "full")),
);

const isOther: Check = async (exchange, run) => {
  const own = valueAt((await run.once(calls.getSubaccount)).json, "payload.id");
  const seen = valueAt(exchange.json, "payload.id");
  return { holds: seen !== own, expected: "another subaccount", seen: `payload.id: ${seen}` };
};

/** Data is scoped to the subaccount of the caller. */
const scope = [
  row(
    "4",
    "other.getReceiver: Another subaccount can't read a receiver",
    asOther(paths.getReceiver),
    refused,
  ),
  row("4", "other.listReceivers: Nor is it in its list", asOther(paths.listReceivers), isHidden),
  row("4", "other.getAccount: Nor can it read an account", asOther(paths.getAccount), refused),
  row("4", "other.listAccounts: Nor list it", asOther(paths.listAccounts), isNone),
  row("4", "other.getSubaccount: It reads itself", asOther(paths.getSubaccount), isOther),
];

const faults = [
  ["no-key: `x-api-key` is required", without("x-api-key"), "without x-api-key"],
  ["no-signature: `signature` is required", without("signature"), "without signature"],
  ["forged: A signature with another secret is refused", forged, "signed with another secret"],
] as const;

const authentication = faults.flatMap(([fault, signer, note]) => {
  const create: Call = (run) =>
    run.ask("POST /api/receiver", { body: calls.newPerson(run, "refused"), signer, note });
  return [
    row("5", `createReceiver.${fault}`, create, refused),
    ...Object.entries(paths).map(([name, path]) => {
      const get: Call = async (run) => run.ask(`GET ${await path(run)}`, { signer, note });
      return row("5", `${name}.${fault}`, get, refused);
    }),
  ];
});

const texts = failures.flatMap(({ name, call, code, text: wanted, message }) => {
  const isText = at("error.0.message", exactly(wanted));
  const rows = [row("7", `${name}.text: The text of ${code} is "${wanted}"`, call, isText)];
  if (message === undefined) return rows;
  const isMessage = at("message", exactly(message));
  return [...rows, row("7", `${name}.message: The message is "${message}"`, call, isMessage)];
});

export const publishedPromises: readonly Promised[] = [
  ...envelope,
  ...resources,
  ...filters,
  ...scope,
  ...endpoints,
  ...authentication,
  ...texts,
];
