// What Disburse adds to every request: headers, refusals, idempotency keys and signatures.

import { getReceiver, getUnknown, newPerson, person } from "./calls.ts";
import { containing, exactly, text } from "./kinds.ts";
import { all, at, type Check, header, type Promised, refusal, row, status } from "./promise.ts";
import { type Asked, type Call, idAt, type Run, valueAt } from "./run.ts";
import { fixed, forged, type Signer, version1At, version2, without } from "./signature.ts";

/** One request each, and the code that refuses it. */
const refusedLines = [
  ["Every call", "route: An unknown path is refused", "GET /api/nothing", 404, "SYST101"],
  ["Every call", "method: So is another method", "PUT /api/receiver", 405, "SYST102"],
  [
    "Receivers",
    "malformed-id: No receiver has a malformed id",
    "GET /api/receiver/1",
    400,
    "REVR101",
  ],
  ["Receivers", "empty-id: An empty id is refused", "GET /api/receiver/", 400, "REVR102"],
  ["Receivers", "limit.0: `limit` is 1 to 1000", "GET /api/receiver?limit=0", 400, "REVR401"],
  ["Receivers", "limit.1001: Nor more", "GET /api/receiver?limit=1001", 400, "REVR401"],
  ["Receivers", "limit.word: Nor a word", "GET /api/receiver?limit=all", 400, "REVR401"],
  ["Receivers", "status.5: No state has this code", "GET /api/receiver?status=5", 400, "REVR402"],
  ["Receivers", "kyc_status.3: Nor this", "GET /api/receiver?kyc_status=3", 400, "REVR403"],
  [
    "Receivers",
    "cursor: An invented cursor is refused",
    "GET /api/receiver?cursor=x",
    400,
    "REVR404",
  ],
  ["Receivers", "filter: So is a misspelt filter", "GET /api/receiver?stauts=1", 400, "REVR405"],
  ["Events", "event.unknown: No event has this id", "GET /api/event/evt_1", 400, "EVNT101"],
] as const;

/** A creation with other fields, and the code that refuses it. */
const refusedFields = [
  [
    "Every call",
    "size: A body has at most 64 KiB",
    { address: "x".repeat(65_536) },
    413,
    "SYST104",
  ],
  ["Receivers", "unknown-field: An unknown field is refused", { nickname: "A" }, 400, "REVR231"],
  ["Receivers", "number: A number is no text", { phone: 412345678 }, 400, "REVR219"],
] as const;

/** A creation of a receiver whose email has this name. */
const create =
  (name: string, changes: object, asked: Asked = {}): Call =>
  (run) =>
    run.ask("POST /api/receiver", { body: { ...newPerson(run, name), ...changes }, ...asked });

const send =
  (raw: string, headers: Record<string, string> = {}): Call =>
  (run) =>
    run.ask("POST /api/receiver", { raw, headers });

const problemsOf = (json: unknown): readonly Record<string, unknown>[] => {
  const found = valueAt(json, "error");
  return Array.isArray(found) ? found : [];
};

/** These problems of these fields, in any order. */
const problems =
  (wanted: readonly string[], name: "code" | "field"): Check =>
  ({ json }) => {
    const found = problemsOf(json).map((one) => one[name]);
    const [expected, seen] = [wanted, found].map((all) => all.toSorted().join(", "));
    return { holds: expected === seen, expected: `${expected}`, seen: `${seen}` };
  };

const createSpaced = create("spaced", { city: " Melbourne\t" });
const getSpaced: Call = async (run) =>
  run.ask(`GET /api/receiver/${idAt(await run.once(createSpaced), "payload.receiver_id")}`);
const put: Call = (run) => run.ask("PUT /api/receiver");
const [hasId, isNotStored] = [
  header("x-request-id", text),
  header("cache-control", exactly("no-store")),
];
const allowed = all(header("allow", containing("GET")), header("allow", containing("POST")));
const wrong = create("wrong", { email: "grace", dob: "12.10.1990", state: "Victoria" });
const required = [...Object.keys(person), "email"];

const everyCall = [
  row("Every call", "request-id: A success has an x-request-id", getReceiver, hasId),
  row("Every call", "request-id.refused: So has a refusal", getUnknown, hasId),
  row("Every call", "no-store: A success is not cached", getReceiver, isNotStored),
  row("Every call", "no-store.refused: Nor is a refusal", getUnknown, isNotStored),
  row("Every call", "method.allow: The allow header has the methods of a path", put, allowed),
  row(
    "Every call",
    "content-type: A body is application/json",
    send("{}", { "content-type": "text/plain" }),
    refusal(415, "SYST105"),
  ),
  row("Every call", "malformed: A body is JSON", send('{"email":'), refusal(400, "REVR232")),
  row("Every call", "array: A body is an object", send("[]"), refusal(400, "REVR232")),
  row(
    "Every call",
    "spaces: Spaces around a text are removed",
    getSpaced,
    at("payload.address_data.city", exactly("Melbourne")),
  ),
  row(
    "Every call",
    "problems: All problems are reported at once, each with its code",
    wrong,
    all(status(400), problems(["REVR214", "REVR227", "REVR223"], "code")),
  ),
  row(
    "Every call",
    "problems.field: Each names its field",
    wrong,
    problems(["email", "dob", "state"], "field"),
  ),
  row(
    "Every call",
    "problems.missing: All missing fields are reported at once",
    send("{}"),
    problems(required, "field"),
  ),
];

const underKey = (changes: object): Call => {
  return (run) => create("once", changes, { headers: { "idempotency-key": run.marker } })(run);
};
const first = underKey({});
const repeat = (changes: object): Call => {
  const again = underKey(changes);
  return async (run) => {
    await run.once(first);
    return again(run);
  };
};
const repeated = repeat({});
const emptyKey = create("empty-key", {}, { headers: { "idempotency-key": "" } });

const isRepeated: Check = async ({ text: seen }, run) => {
  const { text: expected } = await run.once(first);
  return { holds: seen === expected, expected, seen };
};
const saysSo = header("idempotent-replayed", exactly("true"));

const idempotency = [
  row("Idempotency", "key.first: A request under a key is done", first, status(200)),
  row("Idempotency", "key.repeated: Repeated, it has the same response", repeated, isRepeated),
  row("Idempotency", "key.replayed: Its response says so", repeated, saysSo),
  row(
    "Idempotency",
    "key.body: Another body under the key is refused",
    repeat({ city: "Sydney" }),
    refusal(422, "IDEM102"),
  ),
  row("Idempotency", "key.empty: A key is not empty", emptyKey, refusal(400, "IDEM101")),
];

const hourMs = 3_600_000;
const signerWith = (signature: string): Signer => {
  return ({ key }) => ({ "x-api-key": key, signature });
};
const unknownKey: Signer = ({ secret }, request) =>
  version2()({ key: "ak_test_unknown", secret }, request);

/** How a request is signed, and the code that refuses it. */
const refusedSignatures = [
  ["no-key: x-api-key is needed", without("x-api-key"), "without x-api-key", "AUTH101"],
  ["no-signature: signature is needed", without("signature"), "without signature", "AUTH102"],
  ["malformed-signature: It has its form", signerWith("none"), "signature: none", "AUTH103"],
  ["unknown-key: The key is known", unknownKey, "with an unknown key", "AUTH104"],
  ["forged: The secret is that of the key", forged, "signed with another secret", "AUTH105"],
  ["past: It is not old", version1At(-hourMs), "signed an hour ago", "AUTH106"],
  ["future: Nor of the future", version1At(hourMs), "signed an hour ahead", "AUTH106"],
  [
    "v2.path: Version 2 covers the path",
    version2({ path: "/api/receiver/1" }),
    "version 2 of another path",
    "AUTH105",
  ],
  [
    "v2.query: And the query",
    version2({ path: "/api/receiver?limit=2" }),
    "version 2 of another query",
    "AUTH105",
  ],
  [
    "v2.method: And the method",
    version2({ method: "POST" }),
    "version 2 of another method",
    "AUTH105",
  ],
] as const;

const getSigned =
  (signer: Signer, note: string): Call =>
  (run) =>
    run.ask("GET /api/receiver?limit=1", { signer, note });
const otherBody = { signer: version2({ body: "{}" }), note: "version 2 of another body" };
const write = create("version-2", {}, { signer: version2(), note: "version 2" });

/** The same headers twice. */
const replayed: Call = async (run: Run) => {
  const body = newPerson(run, "replayed");
  const request = { method: "POST", path: "/api/receiver", body: JSON.stringify(body) };
  const signer = fixed(version2()(run.target.by, request));
  await run.ask("POST /api/receiver", { body, signer });
  return run.ask("POST /api/receiver", { body, signer, note: "the second time" });
};

const signatures = [
  ...refusedSignatures.map(([line, signer, note, code]) =>
    row("Signatures", line, getSigned(signer, note), refusal(401, code)),
  ),
  row("Signatures", "v2: Version 2 is accepted", getSigned(version2(), "version 2"), status(200)),
  row(
    "Signatures",
    "v2.body: Version 2 covers the body",
    create("other-body", {}, otherBody),
    refusal(401, "AUTH105"),
  ),
  row("Signatures", "v2.write: A write is accepted", write, status(200)),
  row("Signatures", "v2.replayed: Its nonce works once", replayed, refusal(401, "AUTH107")),
];

export const requestPromises: readonly Promised[] = [
  ...everyCall,
  ...refusedLines.map(([section, line, request, wanted, code]) =>
    row(section, line, (run) => run.ask(request), refusal(wanted, code)),
  ),
  ...refusedFields.map(([section, line, fields, wanted, code]) =>
    row(section, line, create("refused-field", fields), refusal(wanted, code)),
  ),
  ...idempotency,
  ...signatures,
];
