// Explains why a captured delivery does not verify: findings, and every cause that can be found. Pure.

import { eventName } from "../../platform/event-catalogue/index.ts";
import { hmacKey } from "../../platform/signatures/index.ts";
import { signDelivery } from "../webhook-signature/index.ts";
import { type HeaderValues, readHeaderValues } from "./captured-headers.ts";
import { readSecret } from "./read-secret.ts";
import { isAsWritten, restoredBodies } from "./restore-body.ts";

export type CapturedRequest = { headers: [name: string, value: string][]; body: Buffer };

const cures = {
  missing_header:
    "Let proxies and frameworks pass the headers that begin with webhook- as they are.",
  malformed_timestamp: "Use webhook-timestamp as it was sent: whole seconds since 1970.",
  malformed_signature: "Use webhook-signature as it was sent: v1,<base64>, parted by spaces.",
  malformed_secret: "Keep the secret as it was shown: whsec_ and base64, with nothing around it.",
  altered_id: "Use webhook-id as it was sent, from evt_ to its end.",
  altered_body: "Verify the bytes that arrived, before anything parses or converts them.",
  no_match: "Look up the endpoint's secret, and whether it was rotated; and capture the raw body.",
  too_old:
    "Verify on arrival, not after a queue, and set the clock by NTP. Of an old capture, say --at when it came.",
  in_future: "Set the clock by NTP.",
} as const;

type Cause = { cause: keyof typeof cures; text: string; cure: string };

type Diagnosis = {
  verifies: boolean;
  /** Fix the first one first. */
  causes: Cause[];
  findings: { what: string; found: string }[];
};

const toleranceS = 300;

export function diagnose(captured: CapturedRequest, secrets: string[], nowMs: number): Diagnosis {
  const findings: Diagnosis["findings"] = [];
  const causes: Cause[] = [];
  const note = (what: string, found: string) => findings.push({ what, found });
  const blame = (cause: Cause["cause"], text: string) =>
    causes.push({ cause, text, cure: cures[cause] });
  const conclude = () => ({ verifies: causes.length === 0, causes, findings });

  const values = readHeaderValues(captured.headers);
  for (const { name, found, problem } of Object.values(values)) {
    note(name, found);
    if (problem) blame(problem.cause, problem.text);
  }
  const readings = secrets.map(readSecret);
  for (const [index, { bytes, problems }] of readings.entries()) {
    const size = bytes ? [`${bytes.length} bytes`] : [];
    note(`secret ${index + 1}`, [...size, ...problems].join(", "));
  }
  note("body", bodyInWords(captured.body));

  const { id, timestamp, signature } = values;
  const timestampS = timestamp.value;
  if (id.value === undefined || timestampS === undefined || signature.value === undefined) {
    return conclude();
  }
  const ageS = Math.floor(nowMs / 1000) - timestampS;
  note("age", ageS < 0 ? `${-ageS} s in the future` : `${ageS} s`);

  const match = findMatch(captured.body, { id, timestamp, signature }, readings);
  if (!match) {
    if (readings.every(({ bytes }) => !bytes)) {
      blame("malformed_secret", `The secret ${readings[0]?.problems.join(", ")}.`);
    } else blame("no_match", unmatched(captured.body));
    return conclude();
  }

  note("signature", `made with secret ${match.secret + 1}`);
  const problems = readings[match.secret]?.problems ?? [];
  if (problems.length > 0) blame("malformed_secret", `The secret ${problems.join(", ")}.`);
  if (match.idChange) blame("altered_id", `The id was altered: ${match.idChange}.`);
  if (match.changes.length > 0) {
    blame("altered_body", `The body was altered: ${match.changes.toReversed().join("; then ")}.`);
  }
  const beyondS = Math.abs(ageS) - toleranceS;
  if (beyondS > 0) {
    const [cause, when] =
      ageS > 0 ? (["too_old", "old"] as const) : (["in_future", "early"] as const);
    blame(
      cause,
      `The signature matches, but it is ${beyondS} s too ${when}: ${toleranceS} s are allowed.`,
    );
  }
  return conclude();
}

type Match = { secret: number; idChange: string | undefined; changes: string[] };

/** Tries the body as it is, then what it may have been. */
function findMatch(
  body: Buffer,
  { id, timestamp, signature }: HeaderValues,
  readings: { bytes: Buffer | undefined }[],
): Match | undefined {
  const keys = readings.map(({ bytes }) => bytes && hmacKey(bytes));
  const given = new Set(signature.value);
  const bodies = function* () {
    yield { body, changes: [] };
    yield* restoredBodies(body);
  };
  for (const { body, changes } of bodies()) {
    for (const [idChange, before] of idsBefore(id.value as string)) {
      const delivery = { id: before, timestampS: timestamp.value as number, body };
      const secret = keys.findIndex((key) => key && given.has(signDelivery([key], delivery)));
      if (secret >= 0) return { secret, idChange, changes };
    }
  }
  return undefined;
}

/** The id as it is, then what it may have been. */
function idsBefore(id: string): [string | undefined, string][] {
  const bare = id.replace(/^["']|["']$/g, "").toLowerCase();
  const uuid = /[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}/.exec(bare)?.[0].replaceAll("-", "");
  const dashed = uuid?.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const what = id.startsWith("evt_") ? "it is written in another way" : "evt_ is missing before it";
  return [
    [undefined, id],
    ["it has quotes or capitals", bare],
    [what, dashed ? eventName(dashed) : `evt_${bare}`],
  ];
}

function bodyInWords(body: Buffer): string {
  const size = `${body.length} bytes`;
  if (body.length === 0) return `${size}: was it read before, or not captured?`;
  const name = /"event"\s*:\s*"(\w{1,40})"/.exec(body.toString())?.[1];
  const event = name ? `, ${name}` : "";
  return `${size}${event}, ${isAsWritten(body) ? "as we write it" : "not as we write it"}`;
}

function unmatched(body: Buffer): string {
  if (body.length === 0) return "The body is empty: nothing can be said of its signature.";
  if (body.includes("\uFFFD")) {
    return "No secret matches, and characters of the body were lost (they became U+FFFD): it was read in a wrong encoding.";
  }
  if (isAsWritten(body)) {
    return "No secret matches, and the body looks as we write it: most likely the secret is another endpoint's, or an old one.";
  }
  return "No secret matches, and the body is not as we write it: it was altered in a way that can't be undone, or the secret is another's.";
}
