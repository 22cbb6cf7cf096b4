// The story in TypeScript: what a caller does with a client, and what it sees. story.py and story.php do the same, and
// a test compares what they print with expected.json.

import {
  Disburse,
  DisburseError,
  type NewReceiver,
  type Receiver,
  signV1,
  signV2,
  WebhookVerificationError,
  webhooks,
} from "../../client/src/index.ts";

const given = JSON.parse(process.env.STORY ?? "");
const { key, secret, baseUrl, proxyUrl, oddUrl, hookUrl, reader, vectors } = given;
const disburse = new Disburse({ apiKey: key, apiSecret: secret, baseUrl });

const person: NewReceiver = {
  first_name: "Zoë",
  last_name: "O'Brien",
  email: "zoe@example.com",
  dob: "1990-02-28",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "",
  gender: "F",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
  reference: "customer 7",
};
const bankAccount = { account_type: "I", account_number: "012345678", bsb: "062000" } as const;

/** What a caller sees of a failure. */
async function failure(call: () => unknown) {
  try {
    await call();
    return "no failure";
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    if (!(error instanceof DisburseError)) return "not sent";
    const { name, code, status, errors } = error;
    const fields = errors.map((one) => [one.code, one.field ?? null]);
    return { name: name.replace("Error", ""), code, status, fields };
  }
}

async function receivers() {
  const { receiver_id, kyc_status } = await disburse.receivers.create(person);
  const created = await disburse.receivers.get(receiver_id);
  const changed = await disburse.receivers.update(receiver_id, { phone: "412345679" });
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const { status } = await disburse.receivers.get(receiver_id);
  const countOf = async (filter: object) =>
    (await disburse.receivers.list(filter).toArray()).length;
  const history = await disburse.receivers.history(receiver_id).toArray();
  return {
    receiverId: receiver_id,
    seen: {
      code: kyc_status,
      name: `${created.first_name} ${created.last_name}`,
      city: created.address_data.city,
      phone: changed.phone,
      status,
      listed: [
        await countOf({ email: "ZOE@example.com" }),
        await countOf({ status: "active", kyc_status: "completed" }),
        await countOf({ status: "failed" }),
      ],
      history: [history[0]?.to.status, history.at(-1)?.from],
    },
  };
}

async function accounts(receiver_id: string) {
  const checked = await disburse.receiverAccounts.validate({ ...bankAccount, country: "AUS" });
  const { account_id, status } = await disburse.receiverAccounts.create({
    ...bankAccount,
    receiver_id,
  });
  const changed = await disburse.receiverAccounts.update(account_id, { aka: "Zoë B." });
  const { bank_account_data } = await disburse.receiverAccounts.get(account_id);
  const schema = await disburse.receiverAccounts.schema("AUS");
  return {
    accountId: account_id,
    seen: {
      checked: checked.bank_account_data.bsb,
      status,
      aka: changed.aka,
      number: bank_account_data.account_number,
      listed: (await disburse.receiverAccounts.list(receiver_id)).length,
      schema: schema.type,
    },
  };
}

type Payee = { receiver_id: string; account_id: string };
const paying = (payee: Payee, amount: number | string, reference: string) => ({
  ...payee,
  amount,
  currency: "AUD",
  reference,
});

async function payouts(payee: Payee) {
  const funded = await disburse.testHelpers.fund({ amount: "1000000", currency: "AUD" });
  const dryRun = await disburse.payouts.validate(paying(payee, 12_500, "invoice 7"));
  const { payout_id } = await disburse.payouts.create(paying(payee, 12_500, "invoice 7"), {
    idempotencyKey: "invoice-7",
  });
  const again = await disburse.payouts.create(paying(payee, 12_500, "invoice 7"), {
    idempotencyKey: "invoice-7",
  });
  const { batch_id, payouts } = await disburse.payouts.createBatch([
    paying(payee, 5_000, "invoice 8"),
    paying(payee, "20000", "invoice 9"),
  ]);
  const batch = await disburse.payouts.batch(batch_id);
  const cancelled = await disburse.payouts.cancel(payouts[0]?.payout_id ?? "");
  await disburse.testHelpers.setStatus({ id: payout_id, type: "payout", status: "success" });
  const { status, stage, amount } = await disburse.payouts.get(payout_id);
  const history = await disburse.payouts.history(payout_id);
  const failed = await disburse.payouts.list({ status: "failed", from: "2024-11-15" }).toArray();
  const none = await disburse.payouts.list({ from: new Date(Date.now() + 3_600_000) }).toArray();
  const [balance] = await disburse.balance.get();
  const entries = await disburse.balance.entries({ currency: "AUD", limit: 2 }).toArray();
  const statement = await disburse.balance.statement({ currency: "AUD", ...given.days });
  const { currencies } = await disburse.balance.funding();
  return {
    paidId: payout_id,
    seen: {
      funded: funded.available,
      accepted: dryRun.accepted,
      isSame: again.payout_id === payout_id,
      batch: [batch.count, batch.totals],
      cancelled: cancelled.stage,
      paid: [status, stage, amount, history[0]?.to.stage],
      failed: failed.map(({ reference }) => reference),
      none: none.length,
      balance,
      entries: entries.map(({ kind }) => kind),
      statement: statement.lines.map(({ kind, amount }) => [kind, amount]),
      depositReference: (currencies[0]?.deposit_reference ?? "").length > 0,
    },
  };
}

async function refusals(payee: Payee, paidId: string) {
  const unknown = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";
  const other = (options: object) =>
    new Disburse({ apiKey: key, apiSecret: secret, baseUrl, ...options });
  const wrong: NewReceiver = { ...person, email: "wrong", country: "Australia" };
  return {
    unknownReceiver: await failure(() => disburse.receivers.get(unknown)),
    unknownEvent: await failure(() => disburse.events.get("evt_1")),
    takenEmail: await failure(() => disburse.receivers.create(person)),
    wrongFields: await failure(() => disburse.receivers.create(wrong)),
    wrongFilter: await failure(() => disburse.payouts.list({ limit: 5000 }).page()),
    unknownAccount: await failure(() =>
      disburse.payouts.create(paying({ ...payee, account_id: unknown }, 1, "a")),
    ),
    duplicate: await failure(() => disburse.payouts.create(paying(payee, 12_500, "invoice 7"))),
    wrongRow: await failure(() =>
      disburse.payouts.createBatch([paying(payee, 1, "b"), paying(payee, 0, "c")]),
    ),
    funds: await failure(() => disburse.payouts.create(paying(payee, 1e12, "d"))),
    paid: await failure(() => disburse.payouts.cancel(paidId)),
    usedKey: await failure(() =>
      disburse.payouts.create(paying(payee, 1, "e"), { idempotencyKey: "invoice-7" }),
    ),
    wrongSecret: await failure(() => other({ apiSecret: "sk_test_wrong" }).balance.get()),
    unknownKey: await failure(() => other({ apiKey: "ak_test_unknown" }).balance.get()),
    reader: await failure(() =>
      other({ apiKey: reader.key, apiSecret: reader.secret }).receivers.create(person),
    ),
    wrongPath: await failure(() => other({ baseUrl: `${baseUrl}/elsewhere` }).balance.get()),
    wrongKey: await failure(() =>
      disburse.receivers.create(person, { idempotencyKey: "two words" }),
    ),
    emptyId: await failure(() => disburse.receivers.get("")),
    dots: await failure(() => disburse.receivers.delete("..")),
    swapped: await failure(() => other({ apiKey: secret })),
  };
}

const retrying = new Disburse({ apiKey: key, apiSecret: secret, baseUrl: proxyUrl, maxRetries: 6 });

async function retries(payee: Payee) {
  for (let number = 1; number <= 30; number += 1)
    await retrying.payouts.create(paying(payee, 100 + number, `retried ${number}`));
  await retrying.receivers.update(payee.receiver_id, { phone: "412345670" });
  const listed = await retrying.payouts.list({ limit: 5, status: "pending" }).toArray();
  const made = listed.filter(({ reference }) => reference.startsWith("retried "));
  const held = await disburse.balance.get();
  return {
    made: made.length,
    different: new Set(made.map(({ reference }) => reference)).size,
    sum: made.reduce((sum, { amount }) => sum + amount, 0),
    held: held[0]?.held,
    phone: (await disburse.receivers.get(payee.receiver_id)).phone,
  };
}

async function paging(payee: Payee) {
  const rows = Array.from({ length: 1050 }, (_, index) => paying(payee, 1, `row ${index}`));
  const { batch_id, payouts } = await disburse.payouts.createBatch(rows);
  const listed = await disburse.payouts.list({ batch_id, limit: 100 }).toArray();
  const first = await disburse.payouts.list({ batch_id, limit: 1000 }).page();
  const second = await first.next();
  const cursor = first.nextCursor ?? "";
  const rest = await disburse.payouts.list({ batch_id, cursor, limit: 20 }).toArray();
  return {
    created: new Set(payouts.map(({ payout_id }) => payout_id)).size,
    listed: listed.length,
    different: new Set(listed.map(({ id }) => id)).size,
    pages: [first.items.length, second?.items.length, second?.nextCursor],
    end: await second?.next(),
    rest: rest.length,
    some: (await disburse.payouts.list({ batch_id, limit: 2 }).toArray({ max: 5 })).length,
  };
}

async function delivery(id: string) {
  for (;;) {
    const found = (await (await fetch(hookUrl)).json()) as Delivered[];
    const own = found.find(({ headers }) => headers["webhook-id"] === id);
    if (own) return own;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
type Delivered = { headers: Record<string, string>; body: string };

async function hooks() {
  const { postback_secret: old = "" } = await disburse.subaccount.update({ postback_url: hookUrl });
  const { secret: fresh } = await disburse.subaccount.rotatePostbackSecret({ overlap_s: 3600 });
  const { id } = await disburse.events.test({ type: "payoutFailure", set: { reference: "Café" } });
  const { headers, body } = await delivery(id);
  const { event, isTest } = await webhooks.verify(body, headers, [old, fresh]);
  const nowS = Number(headers["webhook-timestamp"]);
  const at = (seconds: number) => ({ now: (nowS + seconds) * 1000 });
  const fails = (...words: Parameters<typeof webhooks.verify>) =>
    failure(() => webhooks.verify(...words));
  const own = async (text: string) =>
    fails(text, await webhooks.sign({ body: text, secrets: old }), old);
  const { "webhook-id": _, ...withoutId } = headers;
  const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const signed = await Promise.all([
    ...vectors.v1.map((one: Vector) =>
      signV1({ apiKey: one.api_key, apiSecret: one.secret, ms: Number(one.ms) }),
    ),
    ...vectors.v2.map((one: Vector) =>
      signV2({ ...one, apiKey: one.api_key, apiSecret: one.secret, ms: Number(one.ms) }),
    ),
    ...vectors.events.map(async ({ timestamp, ...one }: VectorEvent) => {
      const made = await webhooks.sign({ ...one, timestamp: Number(timestamp) * 1000 });
      return made["webhook-signature"];
    }),
  ]);
  const wanted = [...vectors.v1, ...vectors.v2, ...vectors.events];
  const { status } = await disburse.events.resend(id);
  return {
    event: [event.event, "reference" in event && event.reference, isTest],
    old: (await webhooks.unwrap(body, Object.entries(headers), old)).event,
    fresh: (await webhooks.unwrap(body, headers, fresh)).event,
    inTime: (await webhooks.unwrap(body, headers, fresh, at(300))).event,
    tolerated: (await webhooks.unwrap(body, headers, fresh, { ...at(900), toleranceS: 900 })).event,
    forgedBody: await fails(body.replace("Café", "Cafe"), headers, [old, fresh]),
    forgedId: await fails(body, { ...headers, "webhook-id": "evt_2" }, [old, fresh]),
    otherSecret: await fails(body, headers, other),
    noSecret: await fails(body, headers, []),
    apiSecret: await fails(body, headers, secret),
    noId: await fails(body, withoutId, old),
    milliseconds: await fails(body, { ...headers, "webhook-timestamp": `${nowS}000` }, old),
    noSignature: await fails(body, { ...headers, "webhook-signature": "v1,abc" }, old),
    tooOld: await fails(body, headers, old, at(301)),
    inFuture: await fails(body, headers, old, at(-301)),
    unknown: await own('{"event":"payoutLost"}'),
    notJson: await own("event=payoutCreated"),
    vectors: wanted.map((one, index) => one.signature === signed[index]),
    resent: status,
  };
}
type Vector = Record<"api_key" | "secret" | "ms" | "nonce" | "method" | "path" | "body", string>;
type VectorEvent = { id: string; timestamp: string; body: string; secrets: string[] };

async function feed() {
  const [newest] = await disburse.events.list().toArray({ max: 1 });
  const types = ["payoutCreated", "receiverKycUpdate", "balanceFunded"] as const;
  const ids: string[] = [];
  for (const type of types) ids.push((await disburse.events.test({ type })).id);
  const heard: unknown[] = [];
  const counts = new Map<string, number>();
  for await (const one of retrying.events.listen({ lastEventId: newest?.id })) {
    if (!ids.includes(one.id)) continue;
    counts.set(one.id, (counts.get(one.id) ?? 0) + 1);
    const isBody = JSON.parse(one.body).event === one.data.event;
    heard.push([one.type, one.data.event, one.resent, one.isTest, isBody]);
    if (heard.length === types.length) break;
  }
  return { heard, mostOften: Math.max(...counts.values()) };
}

/** What a caller sees of a server, or a proxy in front of it, that does odd things. */
async function oddities() {
  const at = (path: string, options: object = {}) =>
    new Disburse({ apiKey: key, apiSecret: secret, baseUrl: `${oddUrl}/${path}`, ...options });
  const once = { maxRetries: 0 };
  const hasty = { maxRetries: 0, timeoutMs: 300 };
  const read = (path: string, options: object) =>
    failure(() => at(path, options).receivers.get("1"));
  return {
    silent: await read("silent", hasty),
    stalled: await read("stalled", hasty),
    dripping: await read("dripping", hasty),
    cut: await read("cut", once),
    cutChunk: await read("cut-chunk", once),
    gone: await read("gone", once),
    page: await read("page", once),
    other: await read("other", once),
    moved: await read("moved", {}),
    later: await read("later", {}),
    broken: await read("broken", { maxRetries: 1 }),
    brokenWrite: await failure(() => at("broken", { maxRetries: 1 }).receivers.create(person)),
    busy: (await at("busy").receivers.create(person)).receiver_id,
    running: (await at("running").receivers.create(person)).receiver_id,
    clock: (await at("clock", once).receivers.create(person)).receiver_id,
    chunked: ((await at("chunked").receivers.get("a b/ü")) as Receiver).id,
    statement: (await at("pages").balance.statement({ currency: "AUD" })).lines,
    loop: await failure(() => at("loop").receivers.list().toArray()),
  };
}

const first = await receivers();
const payee = { receiver_id: first.receiverId, account_id: "" };
const second = await accounts(first.receiverId);
payee.account_id = second.accountId;
const third = await payouts(payee);
const seen = {
  receivers: first.seen,
  accounts: second.seen,
  payouts: third.seen,
  refusals: await refusals(payee, third.paidId),
  retries: await retries(payee),
  paging: await paging(payee),
  webhooks: await hooks(),
  feed: await feed(),
  oddities: await oddities(),
};
console.log(JSON.stringify(seen));
