// The command line from another folder: with a login, without the database, and with the output of the server.

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { newLaptop } from "../../support/laptop.ts";
import { callOperator, newToken } from "../../support/operator.ts";
import { ada, addAccount, settingsOf } from "../../support/service.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const { folder, start, laptop } = newLaptop();
const service = await closeAfterTests(startConsole({ bankDelayMs: 3_600_000 }));
const ana = service.enter("admin");

async function codeOf(said: { stderr: string }): Promise<string> {
  const find = () => /type the code {2}(\S+)/.exec(said.stderr);
  const [, code = ""] = await vi.waitUntil(find, { timeout: 60_000 });
  return code;
}

async function logIn(user: TestPerson, url: string, ...words: string[]) {
  const login = start([...words, "login", url]);
  const code = await codeOf(login.said);
  expect((await user.post("/command-line/confirm", { code })).status).toBe(204);
  return login.outcome;
}

const server = (...words: string[]) => command(words, settingsOf(service));

test("login, whoami and logout; the file of profiles is the user's alone", async () => {
  const user = service.enter("operator");
  const signedIn = await logIn(user, service.baseUrl, "--profile", "work");
  expect(signedIn.code).toBe(0);
  expect(signedIn.stdout).toContain(`${user.person.email} at ${service.baseUrl} (work), until `);
  expect(signedIn.stdout).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/);
  expect(signedIn.stderr).toContain("/console/command-line");
  const file = join(folder, "disburse", "profiles.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await laptop("whoami", "--profile", "work")).stdout).toBe(signedIn.stdout);
  expect((await laptop("whoami", "--profile", "home")).stderr).toContain("not signed in as home");
  expect((await laptop("logout", "--profile=work")).code).toBe(0);
  expect((await laptop("--profile", "work", "payouts", "list")).code).toBe(2);
  const { json } = await user.get("/sessions");
  expect(json.rows).toHaveLength(1);
});

test("thirty commands print the same bytes on the server and over HTTP", async () => {
  const { subaccountId, disburse } = await service.newCaller({ mode: "test" });
  const { receiver_id } = await disburse.receivers.create(ada());
  const receiver_account_id = await addAccount(service, subaccountId, receiver_id);
  await logIn(ana, service.baseUrl);
  const of = ["--subaccount", subaccountId];
  const commands = [
    ["receivers", "list", ...of],
    ["receivers", "list", ...of, "--json"],
    ["receivers", "get", receiver_id],
    ["receivers", "get", receiver_id, "--json"],
    ["receivers", "get", subaccountId],
    ["accounts", "list", receiver_id],
    ["accounts", "get", receiver_account_id],
    ["accounts", "get", receiver_account_id, "--json"],
    ["payouts", "list", ...of],
    ["payouts", "list", ...of, "--json"],
    ["payouts", "get", receiver_id],
    ["payouts", "set-aside"],
    ["events", "list", ...of, "--json"],
    ["ledger", "balance", ...of],
    ["ledger", "balance", ...of, "--json"],
    ["subaccount", "list"],
    ["subaccount", "list", "--json"],
    ["subaccount", "show", subaccountId],
    ["keys", "list", "--subaccount", subaccountId, "--json"],
    ["banks", "list"],
    ["banks", "formats"],
    ["bank-batches", "list"],
    ["suspense", "list"],
    ["statements", "exceptions"],
    ["rules", "show"],
    ["rules", "history", "--json"],
    ["screening", "lists"],
    ["reviews", "list", "--json"],
    ["payouts", "--help"],
    ["keys", "create", "--help"],
    ["keys", "revoke", "ak_test_none"],
    ["payouts", "list", "--no-such-option"],
  ];
  expect(commands.length).toBeGreaterThanOrEqual(30);
  for (const words of commands) {
    const [here, there] = await Promise.all([server(...words), laptop(...words)]);
    expect(there, words.join(" ")).toEqual(here);
  }
});

/** How long it took varies. */
const withoutTimes = (text: string) =>
  text
    .replaceAll(/in [\d.]+ s, [\d,]+ rows\/s/g, "in time")
    .replaceAll(/(import_id|seconds|rows_per_second)( +|": )\S+/g, "$1")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");

test("imports and documents: the same output and the same files on the server and over HTTP", async () => {
  const newCaller = () => service.newCaller({ mode: "test" });
  const callers = [await newCaller(), await newCaller()] as const;
  await logIn(ana, service.baseUrl);
  const here = mkdtempSync(join(folder, "server-"));
  const people = ["ada", "ben"].map((name) => ({ ...ada(), email: `${name}@example.com` }));
  const rows = [Object.keys(ada()), ...people.map((one) => Object.values(one).map(String))];
  const csv = rows.map((cells) => `"${cells.join('","')}"\n`).join("");
  const columns = ["receiver_email", "amount", "currency", "reference"];
  const payouts = `${columns.join()}\nada@example.com,12.50,AUD,one\nnobody@example.com,x,AUD,two\n`;
  const workbook = spreadsheet(rows);
  for (const path of [here, folder]) {
    writeFileSync(join(path, "people.csv"), csv);
    writeFileSync(join(path, "people.xlsx"), workbook);
    writeFileSync(join(path, "payouts.csv"), payouts);
  }
  const commands = [
    ["receivers", "import", "./people.csv", "--json"],
    ["receivers", "import", "./people.xlsx"],
    ["payouts", "import", "./payouts.csv", "--yes"],
    ["payouts", "import", "./payouts.csv", "--yes", "--json", "--map", "amount=-"],
    ["payouts", "import", "./none.csv", "--yes"],
    ["payouts", "template"],
    ["receivers", "import", "--template"],
    ["ledger", "statement", "--currency", "AUD"],
    ["ledger", "statement", "--currency", "AUD", "--format", "lines", "--out", "./lines.csv"],
    ["ledger", "statement", "--currency", "AUD", "--format", "lines", "--out", "./lines.csv"],
  ];
  for (const words of commands) {
    const at = (path: string, { subaccountId }: { subaccountId: string }) => [
      ...words.map((word) => word.replace("./", `${path}/`)),
      ...["--subaccount", subaccountId],
    ];
    const [there, ours] = await Promise.all([
      laptop(...at(folder, callers[0])),
      server(...at(here, callers[1])),
    ]);
    const shown = [there, ours].map(({ code, ...printed }) => {
      const text = [printed.stdout, printed.stderr].map((one) =>
        withoutTimes(one.replaceAll(here, "").replaceAll(folder, "")),
      );
      return [code, ...text];
    });
    if (words.includes("./none.csv")) expect([there.code, there.stdout]).toEqual([2, ""]);
    else expect(shown[0], words.join(" ")).toEqual(shown[1]);
  }
  const files = readdirSync(here);
  expect(files).toEqual(
    expect.arrayContaining(["people.csv.result.csv", "payouts.csv.problems.csv", "lines.csv"]),
  );
  for (const name of files) {
    const [there, ours] = [folder, here].map((path) => readFileSync(join(path, name), "latin1"));
    expect(withoutTimes(there ?? ""), name).toBe(withoutTimes(ours ?? ""));
  }
});

test("what is done over HTTP is done by the user, with the fields that the server prints", async () => {
  const { subaccountId } = await service.newCaller({ mode: "test" });
  await logIn(ana, service.baseUrl);
  const words = ["keys", "create", "--name", "one", "--subaccount", subaccountId, "--json"];
  const fieldsOf = ({ stdout }: { stdout: string }) => Object.keys(JSON.parse(stdout));
  expect(fieldsOf(await laptop(...words))).toEqual(fieldsOf(await server(...words)));
  const { json } = await ana.get(`/audit?subaccount_id=${subaccountId}&action=key.create`);
  expect(json.rows.map(({ who }: { who: string }) => who.split(":")[0])).toEqual([
    ...["command", "operator"],
  ]);
});

test("commands that concern the server say so", async () => {
  await logIn(ana, service.baseUrl);
  for (const words of [["serve"], ["migrate"], ["backup", "list"], ["master-key", "status"]]) {
    const { code, stdout, stderr } = await laptop(...words);
    expect({ code, stdout }, words.join(" ")).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("OPER110");
  }
});

test("a command takes its file from the laptop, also from the standard input", async () => {
  await logIn(ana, service.baseUrl);
  const rule = { id: "large", when: { field: "amount", is: "above", value: "100" } };
  // Larger than what a body may have elsewhere.
  const note = "x".repeat(200_000);
  writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules: [rule], note }));
  const [fromFile, fromInput] = [
    await laptop("rules", "propose", "rules.json", "--note", "first"),
    await start(["rules", "propose", "-", "--note", "first"], JSON.stringify({ rules: [rule] }))
      .outcome,
  ];
  expect(fromFile.stderr).toContain("RULE");
  expect(fromInput).toEqual(fromFile);
  expect(await laptop("rules", "propose", "none.json")).toEqual({
    ...{ code: 2, stdout: "", stderr: "none.json can't be read (ENOENT).\n" },
  });
  expect(await laptop("receivers", "create", "--file=none.json")).toEqual({
    ...{ code: 2, stdout: "", stderr: "none.json can't be read (ENOENT).\n" },
  });
  writeFileSync(join(folder, "large.json"), Buffer.alloc(10_000_001));
  const { stderr } = await laptop("rules", "propose", "large.json");
  expect(stderr).toBe("The files of a command may have 10 MB in all.\n");
});

test("a service that asks for a file that the words do not name gets nothing", async () => {
  writeFileSync(join(folder, "secret.txt"), "of the user alone");
  const bodies: string[] = [];
  const foreign = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200, { "content-type": "application/json" });
    const needs_file = bodies.length % 2 ? "named.txt" : "secret.txt";
    response.end(JSON.stringify({ exit_code: 2, stdout: "", stderr: "", needs_file }));
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void foreign.close());
  const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  await start(["--profile", "foreign", "login", "--token", url], `ot_${"x".repeat(43)}`).outcome;
  writeFileSync(join(folder, "named.txt"), "named");
  const words = ["--profile", "foreign", "bank-files", "inbound", "named.txt"];
  const { code, stderr } = await laptop(...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining("asks for secret.txt")]);
  const files = { "named.txt": Buffer.from("named").toString("base64") };
  expect(bodies.map((body) => JSON.parse(body).files)).toEqual([undefined, files]);
});

test("a service writes no file that the words do not name, and none over one that is there", async () => {
  let files: Record<string, string | null> = {};
  const foreign = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ exit_code: 0, stdout: "", stderr: "", files }));
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void foreign.close());
  const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  await start(["--profile", "writer", "login", "--token", url], `ot_${"x".repeat(43)}`).outcome;
  const words = ["--profile", "writer", "rules", "propose", "mine.json", "--out=new.txt"];
  writeFileSync(join(folder, "mine.json"), "{}");
  const evil = Buffer.from("evil").toString("base64");
  for (const [path, what] of [
    ["other.txt", evil],
    ["../up.txt", evil],
    ["mine.json", evil],
    ["mine.json", null],
    ["mine.json.result.csv", evil],
  ] as const) {
    files = { [path]: what };
    const { code, stderr } = await laptop(...words);
    expect(code, path).not.toBe(0);
    expect(stderr, path).toMatch(/names no such file|exists already/);
  }
  expect(readFileSync(join(folder, "mine.json"), "utf8")).toBe("{}");
  expect(readdirSync(folder)).not.toContain("mine.json.result.csv");
  files = { "new.txt": evil };
  expect((await laptop(...words)).code).toBe(0);
  expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("evil");
});

test("a cut connection and a busy service: the command is sent again, and done once", async () => {
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const { token } = await newToken(ana, { role: "operator", subaccountIds: [subaccountId] });
  let asked = 0;
  // Between the two: the first request is answered 503, of the second the response is lost.
  const between = createServer(async (request, response) => {
    asked += 1;
    if (asked === 1) return response.writeHead(503, { "retry-after": "0" }).end();
    const answer = await fetch(service.baseUrl + request.url, {
      method: "POST",
      headers: request.headers as Record<string, string>,
      body: await text(request),
    });
    if (asked === 2) return request.socket.destroy();
    return response
      .writeHead(answer.status, { "content-type": "application/json" })
      .end(await answer.text());
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void between.close());
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  await start(["--profile", "cut", "login", "--token", url], token).outcome;
  const words = ["keys", "create", "--name", "once", "--subaccount", subaccountId];
  expect(await laptop("--profile", "cut", ...words)).toMatchObject({ code: 0, stderr: "" });
  expect(asked).toBe(3);
  const { json } = await ana.get(`/s/${subaccountId}/keys`);
  expect(json.rows.filter(({ name }: { name: string }) => name === "once")).toHaveLength(1);
});

test("an address that is not encrypted, one that is no service, and a login that is declined", async () => {
  expect((await laptop("login", "http://payouts.example.com")).stderr).toContain("https://");
  const away = await laptop("--profile", "away", "login", "--token", "http://127.0.0.1:9");
  expect(away.stderr).toContain("ot_");
  const login = start(["login", service.baseUrl]);
  const code = await codeOf(login.said);
  await ana.post("/command-line/decline", { code });
  const { code: exit, stderr } = await login.outcome;
  expect([exit, stderr.split("\n").at(-2)]).toEqual([
    ...[1, "The sign-in was declined, or the code has expired."],
  ]);
  const { status } = await callOperator(service.baseUrl, undefined, "POST", "/login", { body: {} });
  expect(status).toBe(400);
});
