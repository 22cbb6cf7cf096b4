// The requests to what is published, and what they send. Each is made once in a run.

import { randomUUID } from "node:crypto";
import { listOf } from "./promise.ts";
import { type Call, idAt, NotTried, type Run, valueAt } from "./run.ts";

/** A receiver of a run. Its names and its reference say so. */
export const person = {
  first_name: "Conformance",
  last_name: "Test",
  dob: "1990-12-10",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "Level 3",
  gender: "M",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
};
export const middleName = "Kit";

/** With this beginning, an identity check in a test mode of Disburse waits until it is decided. */
export const emailOf = ({ marker }: Run, name: string) =>
  `kyc-pending+${marker}-${name}@example.com`;

export const newPerson = (run: Run, name: string) => ({ ...person, email: emailOf(run, name) });

const create = (run: Run, body: object) => run.ask("POST /api/receiver", { body });

export const createReceiver: Call = (run) =>
  create(run, { ...newPerson(run, "full"), middle_name: middleName, reference: run.marker });

/** Without what may be left out. */
export const createMinimal: Call = (run) => create(run, newPerson(run, "minimal"));

export const createTaken: Call = async (run) => {
  await run.once(createReceiver);
  return create(run, newPerson(run, "full"));
};

/** Without a field that is required. */
export const createWithout = (field: string): Call => {
  return (run) => {
    const { [field]: _, ...others }: Record<string, string> = newPerson(run, `without-${field}`);
    return create(run, others);
  };
};

const receiverId = async (run: Run, made = createReceiver) =>
  idAt(await run.once(made), "payload.receiver_id");

export const paths = {
  getReceiver: async (run: Run) => `/api/receiver/${await receiverId(run)}`,
  listReceivers: async () => "/api/receiver",
  getAccount: async (run: Run) => `/api/receiveraccount/${(await run.once(account)).id}`,
  listAccounts: async (run: Run) =>
    `/api/receiveraccount/receiver/${(await run.once(account)).receiverId}`,
  getSubaccount: async () => "/api/subaccount",
};

const get =
  (path: (run: Run) => Promise<string>): Call =>
  async (run) =>
    run.ask(`GET ${await path(run)}`);

export const getReceiver = get(paths.getReceiver);
export const getMinimal = get(
  async (run) => `/api/receiver/${await receiverId(run, createMinimal)}`,
);
export const getUnknown = get(async () => `/api/receiver/${randomUUID()}`);
export const getAccount = get(paths.getAccount);
export const getUnknownAccount = get(async () => `/api/receiveraccount/${randomUUID()}`);
export const listAccounts = get(paths.listAccounts);
export const listUnknownAccounts = get(async () => `/api/receiveraccount/receiver/${randomUUID()}`);
export const getSubaccount = get(paths.getSubaccount);

/** Once both receivers are there. */
export const listWith = (query: string): Call => {
  return async (run) => {
    await run.once(createReceiver);
    await run.once(createMinimal);
    return run.ask(`GET /api/receiver${query}`);
  };
};
export const listReceivers = listWith("");

export const statuses = ["creating", "pending", "active", "inactive", "failed"];
export const kycStatuses = ["pending", "completed", "failed"];

/** The codes of the states that the receiver of this run is in. */
export async function codesOf(run: Run): Promise<{ status: number; kyc_status: number }> {
  const { json } = await run.once(getReceiver);
  const status = statuses.indexOf(String(valueAt(json, "payload.status")));
  const kyc_status = kycStatuses.indexOf(String(valueAt(json, "payload.kyc_status")));
  if (status < 0 || kyc_status < 0) throw new NotTried("the receiver is in a state without a code");
  return { status, kyc_status };
}

export const listOwnStates: Call = async (run) => {
  const { status, kyc_status } = await codesOf(run);
  return run.ask(`GET /api/receiver?status=${status}&kyc_status=${kyc_status}&limit=1`);
};

type Account = { id: string; receiverId: string };

const searchedMax = 20;

/** With a leading zero, and with the ending by which a test mode of Disburse pays it. */
export const bank = { account_type: "I", bsb: "062000", account_number: "012345999" };

/** Ours. */
export const createAccount: Call = async (run) =>
  run.ask("POST /api/receiveraccount", {
    body: { receiver_id: await receiverId(run), ...bank },
  });

/** The document shows no way to create one, so without what is ours an existing one is read. */
async function account(run: Run): Promise<Account> {
  if (run.target.isDisburse) {
    const id = idAt(await run.once(createAccount), "payload.account_id");
    return { id, receiverId: await receiverId(run) };
  }
  const { json } = await run.once(listReceivers);
  for (const receiver of listOf(json).slice(0, searchedMax)) {
    const receiverId = valueAt(receiver, "id");
    if (typeof receiverId !== "string") continue;
    const found = await run.ask(`GET /api/receiveraccount/receiver/${receiverId}`);
    const id = valueAt(found.json, "payload.0.id");
    if (typeof id === "string") return { id, receiverId };
  }
  throw new NotTried(`none of the first ${searchedMax} receivers has an account`);
}

/** Of the second key. */
export const asOther =
  (path: (run: Run) => Promise<string>): Call =>
  async (run) => {
    const { other } = run.target;
    if (!other) throw new NotTried("no second key was given");
    return run.ask(`GET ${await path(run)}`, { by: other, note: "with the second key" });
  };
