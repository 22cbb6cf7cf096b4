// Sanctions lists in the console: uploads, what a version changes, the second user, age, and embargoed countries.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listLimits } from "../../../src/people/list-files/list-limits.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { textFile, type UnPerson, unFile, unPeople } from "../../support/list-files.ts";
import { uploadList } from "../../support/list-upload.ts";
import { ada, outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
const compliance = service.enter("compliance");
const second = service.enter("compliance");

const today = new Date().toISOString().slice(0, 10);
const upload = (people: readonly UnPerson[]) =>
  uploadList(service.baseUrl, compliance, "un", [unFile(people, today)]);

/** The same people in the layout of the UK. */
function uploadUk(people: readonly UnPerson[]) {
  const rows = people.map(({ key, names }) => `${key},Individual,${names.join(",")},Primary name`);
  const text = ["Unique ID,Designation Type,Name 1,Name 6,Name type", ...rows].join("\n");
  return uploadList(service.baseUrl, compliance, "uk", [textFile("uk.csv", text)]);
}

async function shownList(list: string, reader = compliance) {
  const { lists } = (await reader.get("/screening")).json;
  return lists.find((one: { list: string }) => one.list === list);
}

async function changesOf(id: string, kind: string, more = "") {
  const path = `/screening/versions/${id}/changes?kind=${kind}${more}`;
  return (await compliance.get(path)).json;
}

test("a list is uploaded, is in force, and a later version shows what it added, changed and removed", async () => {
  expect(await shownList("uk")).toMatchObject({ active: null, waiting: null, is_old: false });
  const people = unPeople(12);
  const first = await uploadUk(people);
  expect(first.json).toMatchObject({ outcome: "active", version: { entries: 12, added: 12 } });
  expect(await shownList("uk")).toMatchObject({
    publisher: "FCDO, United Kingdom",
    active: { made_by: compliance.who, status: "active" },
    is_old: false,
  });
  const again = await uploadUk(people);
  expect(again.json.outcome).toBe("unchanged");

  const [gone, renamed, ...others] = people as [UnPerson, UnPerson, ...UnPerson[]];
  const added = { key: "TEi.900", names: ["NEW", "PERSON"] };
  const next = [{ ...renamed, names: ["OTHER", "NAME"] }, ...others, added];
  // Alone a user only adds entries.
  const alone = (await uploadUk([...people, added])).json;
  expect(alone).toMatchObject({ outcome: "active", version: { added: 1, removed: 0 } });
  const waiting = (await uploadUk(next)).json;
  expect(waiting).toMatchObject({ outcome: "waiting", reason: "a user imports other entries" });
  const { json: version } = await second.post(`/screening/versions/${waiting.version.id}/approve`);
  expect(version).toMatchObject({ status: "active", added: 0, changed: 1, removed: 1 });
  expect((await changesOf(alone.version.id, "added")).rows).toMatchObject([
    { key: "TEi.900", name: "NEW PERSON", changes: [] },
  ]);
  expect((await changesOf(version.id, "changed")).rows).toMatchObject([
    {
      key: renamed.key,
      changes: [{ what: "Names", before: "PERSON NUMBER2", after: "OTHER NAME" }],
    },
  ]);
  expect((await changesOf(version.id, "removed")).rows).toMatchObject([
    { key: gone.key, name: "PERSON NUMBER1" },
  ]);
  // Page by page, each entry once.
  const keys: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = cursor && `&cursor=${cursor}`;
    const page = await changesOf(first.json.version.id, "added", `&limit=5${more}`);
    keys.push(...page.rows.map(({ key }: UnPerson) => key));
    cursor = page.next;
  }
  expect(keys).toEqual(people.map(({ key }) => key));
  const { rows } = (await compliance.get("/screening/versions?list=uk")).json;
  expect(rows.map(({ status }: { status: string }) => status)).toEqual([
    "active",
    "replaced",
    "replaced",
  ]);
});

test("a version with far fewer entries waits: its maker can't approve it, another user can", async () => {
  // More than other tests upload, so a user may import them alone.
  const people = unPeople(12);
  await upload(people);
  const made = (await upload(people.slice(0, 5))).json;
  expect(made).toMatchObject({ outcome: "waiting", version: { removed: 7 } });
  const { id } = made.version;
  const shown = await shownList("un");
  expect(shown.active.entries).toBe(12);
  expect(shown.waiting).toMatchObject({ why_not: "Awaiting another approver", needs_two: false });
  expect(shown.waiting.reason).toMatch(/fewer entries|many entries are removed/);
  expect((await changesOf(id, "removed")).rows).toHaveLength(7);
  expect((await shownList("un", second)).waiting.why_not).toBeNull();

  const approve = `/screening/versions/${id}/approve`;
  const late = service.enter("compliance", { provenAtMs: Date.now() - 86_400_000 });
  expect(outcomeOf(await compliance.post(approve))).toBe("403 CONS402");
  expect(outcomeOf(await late.post(approve))).toBe("403 CONS103");
  expect(outcomeOf(await service.enter("auditor").post(approve))).toBe("403 CONS102");
  expect((await second.post(approve)).json).toMatchObject({
    status: "active",
    decided_by: second.who,
  });
  expect(outcomeOf(await second.post(approve))).toBe("409 LIST202");
  const entries = await service.db.pool.query(
    "select action, who from audit_entry where object_id = $1 order by number",
    [id],
  );
  expect(entries.rows).toEqual([
    { action: "screening.import", who: compliance.who },
    { action: "screening.approve", who: second.who },
  ]);
});

test("a declined version leaves the list as it is, and its entries are not kept", async () => {
  await upload(unPeople(11));
  const before = await shownList("un");
  const { version } = (await upload(unPeople(1))).json;
  const declined = await compliance.post(`/screening/versions/${version.id}/decline`);
  expect(declined.json).toMatchObject({ status: "declined", has_changes: false });
  expect(await shownList("un")).toEqual({ ...before, age_ms: expect.any(Number), waiting: null });
  expect((await changesOf(version.id, "removed")).rows).toEqual([]);
});

test("a file that is broken, too many files and another body are refused, and nothing is imported", async () => {
  const broken = { name: "un.xml", bytes: Buffer.from("<CONSOLIDATED_LIST>") };
  const refused = await uploadList(service.baseUrl, compliance, "un", [broken]);
  expect(outcomeOf(refused)).toBe("400 LIST101");
  expect(refused.text).toContain("un.xml");
  expect(outcomeOf(await uploadList(service.baseUrl, compliance, "un", []))).toBe("400 CONS106");
  expect((await compliance.post("/screening/lists/un/versions", {})).status).toBe(400);
  const unknown = await uploadList(service.baseUrl, compliance, "none", [broken]);
  expect(outcomeOf(unknown)).toBe("404 LIST104");
  const auditor = await uploadList(service.baseUrl, service.enter("auditor"), "un", [broken]);
  expect(outcomeOf(auditor)).toBe("403 CONS102");
  // Other routes take no files.
  const elsewhere = await uploadList(
    service.baseUrl,
    compliance,
    "un",
    [broken],
    "/screening/embargoes",
  );
  expect(elsewhere.status).toBe(415);
});

test("a list is old by the bound of the alert", async () => {
  const alerts = readFileSync(
    join(import.meta.dirname, "..", "..", "..", "..", "deploy", "prometheus", "alerts.yml"),
    "utf8",
  );
  const days = /list_age_seconds\{list!="embargo"\}\) > (\d+) \* 86400/.exec(alerts)?.[1];
  expect(listLimits.oldMs).toBe(Number(days) * 86_400_000);
  await upload(unPeople(10));
  const weekAgo = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10);
  await service.db.pool.query(
    "update screening_list_version set published_day = $1 where list in ('un', 'embargo') and status = 'active'",
    [weekAgo],
  );
  expect(await shownList("un")).toMatchObject({ is_old: true });
  expect(await shownList("embargo")).toMatchObject({ is_old: false });
});

test("one user adds an embargoed country, and two remove one", async () => {
  const syria = { country: "SYR", source: "Regulation 36/2012", since: "2026-11-01" };
  expect(
    (await compliance.post("/screening/embargoes", { ...syria, since: "2026-02-30" })).status,
  ).toBe(400);
  const touched = async () => (await compliance.get("/screening/countries/SYR/touched")).json;
  expect(await touched()).toEqual({ receivers: 0, payouts: 0 });
  const { disburse } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada({ country: "SYR" }));
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  expect(await touched()).toEqual({ receivers: 1, payouts: 0 });
  const added = await compliance.post("/screening/embargoes", syria);
  expect(added.json).toMatchObject({ outcome: "active", version: { list: "embargo", added: 1 } });
  const { embargoes } = (await compliance.get("/screening")).json;
  expect(embargoes).toContainEqual({ ...syria, name: expect.stringMatching(/Syria/) });
  expect(outcomeOf(await compliance.post("/screening/embargoes", syria))).toBe("409 LIST204");
  const ended = await compliance.post("/screening/embargoes/SYR/end");
  expect(ended.json).toMatchObject({ outcome: "waiting", reason: "countries are removed" });
  const approve = `/screening/versions/${ended.json.version.id}/approve`;
  expect(outcomeOf(await compliance.post(approve))).toBe("403 CONS402");
  expect((await second.post(approve)).json.status).toBe("active");
  const left = (await compliance.get("/screening")).json.embargoes;
  expect(left.map(({ country }: { country: string }) => country)).not.toContain("SYR");
});
