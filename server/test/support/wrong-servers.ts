// Servers that break a promise of the published interface or of what we add: what each changes, and the lines of the conformance
// kit that it breaks.

import type { Answered, Asked, Change } from "./changing-proxy.ts";
import { sign, type TestCaller } from "./service.ts";

/** `broken`: its own line, and those that follow from it. `change` is made for each run. */
export type WrongServer = {
  what: string;
  change: (callers: { by: TestCaller; other: TestCaller }) => Change;
  broken: string[];
};

const isPath = ({ path }: Asked, pattern: RegExp) => pattern.test(path);
const oneReceiver = /^\/api\/receiver\/[^/]+$/;
const receivers = /^\/api\/receiver([/?]|$)/;
const oneAccount = /^\/api\/receiveraccount\/(receiver\/)?[0-9a-f-]+$/;

/** Another text in responses, where the path is one of these. */
const textOf =
  (pattern: RegExp, from: string | RegExp, to: string): WrongServer["change"] =>
  () => ({
    answered: (answered, asked) =>
      isPath(asked, pattern) ? { ...answered, text: answered.text.replaceAll(from, to) } : answered,
  });

const answering =
  (answered: NonNullable<Change["answered"]>): WrongServer["change"] =>
  () => ({ answered });
const asking =
  (asked: NonNullable<Change["asked"]>): WrongServer["change"] =>
  () => ({ asked });

const withoutHeader = (name: string) =>
  answering(({ headers: { [name]: _, ...headers }, ...answered }) => ({ ...answered, headers }));

/** Another body of responses, where there is one. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
type Body = any;
const bodyOf = (pattern: RegExp, edit: (body: Body, answered: Answered) => void) =>
  answering((answered, asked) => {
    if (!isPath(asked, pattern) || !answered.text.startsWith("{")) return answered;
    const body = JSON.parse(answered.text);
    edit(body, answered);
    return { ...answered, text: JSON.stringify(body) };
  });

/** Each resource of a response. */
const each = (pattern: RegExp, edit: (resource: Body) => void) =>
  bodyOf(pattern, ({ payload = [] }) => {
    for (const one of Array.isArray(payload) ? payload : [payload]) edit(one);
  });

const signedBy = ({ key, secret }: TestCaller, asked: Asked): Asked => ({
  ...asked,
  headers: { ...asked.headers, "x-api-key": key, signature: sign({ ...asked, key, secret }) },
});

const paid = ["payoutCreated", "payoutUpdate", "payoutFailure"];

export const wrongServers: WrongServer[] = [
  {
    what: "spells subccount_id correctly",
    change: textOf(/^\/api\/event/, "subccount_id", "subaccount_id"),
    broken: [...paid, "receiverKycUpdate"].map((event) => `${event}.subccount_id`),
  },
  {
    what: "answers a creation with 201",
    change: answering((answered, { method, path }) =>
      method === "POST" && path === "/api/receiver" && answered.status === 200
        ? { ...answered, status: 201 }
        : answered,
    ),
    broken: [
      "createReceiver.status",
      ...["createReceiver.optional", "fisrt_name", "key.first", "v2.write"],
    ],
  },
  {
    what: "corrects the text of REVR201",
    change: textOf(/./, "Email already exist", "Email already exists"),
    broken: ["createReceiver.taken.text"],
  },
  {
    what: "begins a message with a capital",
    change: textOf(/./, "get receiver failed", "Get receiver failed"),
    broken: ["getReceiver.unknown.message"],
  },
  {
    what: "gives created_at as a number",
    change: textOf(receivers, /"created_at":"(\d+)"/g, '"created_at":$1'),
    broken: ["receiver.created_at", "listReceivers.records"],
  },
  {
    what: "gives the timestamp of payoutFailure as a number",
    change: textOf(/^\/api\/event\?/, /"timestamp":"(\d+)"/g, '"timestamp":$1'),
    broken: ["payoutFailure.timestamp"],
  },
  {
    what: "gives the timestamp of payoutCreated as a text",
    change: textOf(/^\/api\/event\?type=payoutCreated/, /"timestamp":(\d+)/g, '"timestamp":"$1"'),
    broken: ["payoutCreated.timestamp"],
  },
  {
    what: "gives amounts of events as texts",
    change: textOf(/^\/api\/event\?/, /"amount":(\d+)/g, '"amount":"$1"'),
    broken: paid.map((event) => `${event}.amount`),
  },
  {
    what: "returns the KYC status of a creation as a word",
    change: textOf(/^\/api\/receiver$/, '"kyc_status":"0"', '"kyc_status":"pending"'),
    broken: ["createReceiver.kyc_status"],
  },
  {
    what: "has no x-request-id",
    change: withoutHeader("x-request-id"),
    broken: ["request-id", "request-id.refused"],
  },
  {
    what: "lets responses be cached",
    change: withoutHeader("cache-control"),
    broken: ["no-store", "no-store.refused"],
  },
  {
    what: "does not check the signature",
    change: ({ by, other }) => ({
      asked: (asked) => {
        const { "x-api-key": key, signature } = asked.headers;
        const caller = [by, other].find((one) => one.key === key);
        return caller && signature ? signedBy(caller, asked) : asked;
      },
    }),
    broken: [
      ...["createReceiver", "getReceiver", "listReceivers", "getAccount", "listAccounts"].map(
        (name) => `${name}.forged`,
      ),
      ...["getSubaccount.forged", "forged", "malformed-signature", "past", "future"],
      ...["v2.path", "v2.query", "v2.method", "v2.body", "v2.replayed"],
    ],
  },
  {
    what: "does not check the secret alone",
    change: ({ by }) => ({
      asked: (asked) => {
        const { signature = "" } = asked.headers;
        const ms = Number(/^(\d{13})\./.exec(signature)?.[1]);
        const isFresh = Math.abs(ms - Date.now()) < 300_000;
        return isFresh && asked.headers["x-api-key"] === by.key ? signedBy(by, asked) : asked;
      },
    }),
    broken: [
      ...["createReceiver", "getReceiver", "listReceivers", "getAccount", "listAccounts"].map(
        (name) => `${name}.forged`,
      ),
      ...["getSubaccount.forged", "forged"],
    ],
  },
  {
    what: "does not need a signature",
    change: ({ by }) => ({
      asked: (asked) => {
        const { "x-api-key": key, signature } = asked.headers;
        return key === by.key && signature === undefined ? signedBy(by, asked) : asked;
      },
    }),
    broken: [
      ...["createReceiver", "getReceiver", "listReceivers", "getAccount", "listAccounts"].map(
        (name) => `${name}.no-signature`,
      ),
      ...["getSubaccount.no-signature", "no-signature"],
    ],
  },
  {
    what: "accepts a replayed nonce",
    change: ({ by }) => {
      const seen = new Set<string>();
      return {
        asked: (asked) => {
          const { signature = "" } = asked.headers;
          const isReplayed = seen.has(signature) && signature.startsWith("v2.");
          seen.add(signature);
          return isReplayed ? signedBy(by, asked) : asked;
        },
      };
    },
    broken: ["v2.replayed"],
  },
  {
    what: "answers an unknown receiver with 404",
    change: answering((answered) =>
      answered.text.includes("REVR101") ? { ...answered, status: 404 } : answered,
    ),
    broken: ["getReceiver.unknown.status", "malformed-id"],
  },
  {
    what: "has another code for an unknown receiver",
    change: textOf(/./, "REVR101", "REVR100"),
    broken: ["getReceiver.unknown.code", "malformed-id"],
  },
  {
    what: "lists the oldest first",
    change: bodyOf(
      /^\/api\/receiver$/,
      ({ payload }) => Array.isArray(payload) && payload.reverse(),
    ),
    broken: ["order"],
  },
  {
    what: "corrects the text of REAC104",
    change: bodyOf(/./, ({ error }) => {
      if (error?.[0]?.code === "REAC104") error[0].message = "Receiver Account ID not found";
    }),
    broken: ["getAccount.unknown.text"],
  },
  {
    what: "corrects the text of REAC101",
    change: bodyOf(/./, ({ error }) => {
      if (error?.[0]?.code === "REAC101") error[0].message = "Receiver ID not found";
    }),
    broken: ["listAccounts.unknown.text"],
  },
  {
    what: "wraps the list of accounts in an object",
    change: bodyOf(/^\/api\/receiveraccount\/receiver\//, (body) => {
      if (body.payload) body.payload = { accounts: body.payload };
    }),
    broken: ["listAccounts.has-payload", "listAccounts.records", "account.none"],
  },
  {
    what: "writes kassi_status in small letters",
    change: textOf(/./, '"kassi_status":"ACCEPTED"', '"kassi_status":"accepted"'),
    broken: ["subaccount.kassi_status"],
  },
  {
    what: "leaves the plus sign out of a dialcode",
    change: textOf(/./, '"mobile_dialcode":"+61"', '"mobile_dialcode":"61"'),
    broken: ["subaccount.mobile_dialcode"],
  },
  {
    what: "ignores limit",
    change: asking((asked) => ({ ...asked, path: asked.path.replace(/\blimit=\d+&?/, "") })),
    broken: ["limit.1", "filters.own", "limit.0", "limit.1001", "page.link", "page.next", "v2"],
  },
  {
    what: "ignores status",
    change: asking((asked) => ({ ...asked, path: asked.path.replace(/\bstatus=\w+&?/, "") })),
    broken: ["status.0", "status.2", "status.3", "status.4", "status.5", "status.word"],
  },
  {
    what: "swaps two codes of kyc_status",
    change: asking((asked) => ({
      ...asked,
      path: asked.path.replace(/kyc_status=([01])/, (_, code) => `kyc_status=${1 - code}`),
    })),
    broken: ["kyc_status.1", "filters.own"],
  },
  {
    what: "gives account numbers as numbers",
    change: each(oneAccount, ({ bank_account_data: bank }) => {
      if (bank) bank.account_number = Number(bank.account_number);
    }),
    broken: ["account.bank_account_data.account_number", "listAccounts.records", "account.zero"],
  },
  {
    what: "gives receiver_accepted as a text",
    change: each(oneAccount, ({ account_data: data }) => {
      if (data) data.receiver_accepted = "true";
    }),
    broken: ["account.account_data.receiver_accepted", "listAccounts.records"],
  },
  {
    what: "leaves out receiver_address_outcome",
    change: each(oneAccount, ({ account_data: data }) => delete data?.receiver_address_outcome),
    broken: ["account.account_data.receiver_address_outcome", "listAccounts.records"],
  },
  {
    what: "leaves out address2",
    change: each(receivers, ({ address_data: address }) => delete address?.address2),
    broken: ["receiver.address_data.address2", "listReceivers.records"],
  },
  {
    what: "gives null for a text that was not sent",
    change: textOf(receivers, '"middle_name":""', '"middle_name":null'),
    broken: ["receiver.unset", "listReceivers.records"],
  },
  {
    what: "writes dates the other way round",
    change: textOf(receivers, "1990-12-10", "10-12-1990"),
    broken: ["receiver.dob", "listReceivers.records"],
  },
  {
    what: "creates two receivers with one email",
    change: () => {
      const seen = new Set<string>();
      return {
        asked: (asked) => {
          if (asked.method !== "POST" || asked.headers["idempotency-key"]) return asked;
          const email = /"email":"([^"]+)"/.exec(asked.body)?.[1];
          const lower = email?.toLowerCase() ?? "";
          if (asked.path !== "/api/receiver" || !email || !seen.has(lower)) {
            seen.add(lower);
            return asked;
          }
          return { ...asked, body: asked.body.replace(email, `again-${seen.size}-${email}`) };
        },
      };
    },
    broken: [
      ...["status", "code", "has-error", "text", "message"].map(
        (line) => `createReceiver.taken.${line}`,
      ),
      ...["email.case", "v2.replayed"],
    ],
  },
  {
    what: "ignores Idempotency-Key",
    change: asking(({ headers: { "idempotency-key": _, ...headers }, ...asked }) => ({
      ...asked,
      headers,
    })),
    broken: ["key.repeated", "key.replayed", "key.body", "key.empty"],
  },
  {
    what: "does not say that a response is repeated",
    change: withoutHeader("idempotent-replayed"),
    broken: ["key.replayed"],
  },
  {
    what: "reports only the first problem",
    change: bodyOf(/./, (body) => {
      if (body.error) body.error.length = 1;
    }),
    broken: ["problems", "problems.field", "problems.missing"],
  },
  {
    what: "shows a caller the data of another one",
    change: ({ by, other }) => ({
      asked: (asked) => (asked.headers["x-api-key"] === other.key ? signedBy(by, asked) : asked),
    }),
    broken: ["getReceiver", "listReceivers", "getAccount", "getSubaccount", "listAccounts"].map(
      (name) => `other.${name}`,
    ),
  },
  {
    what: "says that its JSON is text",
    change: answering(({ headers, ...answered }, { path }) => ({
      ...answered,
      headers: path === "/api/subaccount" ? { ...headers, "content-type": "text/plain" } : headers,
    })),
    broken: ["getSubaccount.json"],
  },
  {
    what: "gives one error instead of a list",
    change: bodyOf(oneReceiver, (body) => {
      if (body.error) body.error = body.error[0];
    }),
    broken: [
      "getReceiver.unknown.has-error",
      "getReceiver.unknown.code",
      "getReceiver.unknown.text",
      "malformed-id",
    ],
  },
  {
    what: "does not link the next page",
    change: withoutHeader("link"),
    broken: ["page.link", "page.next"],
  },
  {
    what: "needs no date of birth",
    change: asking((asked) => {
      const needs = asked.path === "/api/receiver" && asked.body.includes('"email"');
      if (!needs || asked.body.includes('"dob"')) return asked;
      return { ...asked, body: asked.body.replace("{", '{"dob":"1990-12-10",') };
    }),
    broken: ["createReceiver.without.dob"],
  },
  {
    what: "knows only the right spelling of the first name",
    change: asking((asked) => ({ ...asked, body: asked.body.replace("fisrt_name", "frist_name") })),
    broken: ["fisrt_name"],
  },
];
