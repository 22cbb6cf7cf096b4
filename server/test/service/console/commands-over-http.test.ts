// Commands that users run over HTTP: for whom, in which subaccounts, and without files of the server.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actsByCommand, actsOverHttp } from "../../../src/doors/cli/act-command.ts";
import { nameOf } from "../../../src/doors/cli/command-words.ts";
import { readsOverHttp } from "../../../src/doors/cli/over-http.ts";
import { wholeProgram } from "../../../src/doors/cli/program.ts";
import { notOverHttp } from "../../../src/doors/cli/remote-gate.ts";
import { permissions, type Role } from "../../../src/tenants/roles/user.ts";
import { type BankConsole, startBankConsole } from "../../support/bank-console.ts";
import { callOperator, newToken, signInCommand } from "../../support/operator.ts";

let service: BankConsole;
let [own, foreign] = ["", ""];
beforeAll(async () => {
  service = await startBankConsole();
  own = (await service.newCaller({ mode: "live" })).subaccountId;
  foreign = (await service.newCaller({ mode: "live" })).subaccountId;
});
afterAll(() => service.close());

type RunOptions = { key?: string; files?: Record<string, string> };
async function run(token: string, words: string, { key, files }: RunOptions = {}) {
  const body = { words: words.split(" "), ...(files && { files }) };
  const { status, code, json } = await callOperator(service.baseUrl, token, "POST", "/commands", {
    ...{ body, ...(key !== undefined && { key }) },
  });
  if (status !== 200) throw new Error(`${status} ${code}`);
  return json as { exit_code: number; stdout: string; stderr: string; needs_file?: string };
}

const signIn = async (role: Role, sees?: string) => {
  const user = service.enter(role, sees === undefined ? {} : { subaccountId: sees });
  return { user, token: (await signInCommand(service.baseUrl, user)).token };
};

test("each command needs what the gate needs for the same act or list", async () => {
  const commands = [];
  for (const command of leaves(await wholeProgram())) {
    const act = actsOverHttp.get(command) ?? actsByCommand.get(command);
    const isCarried = act?.doors.includes("console") && !notOverHttp.has(act.name);
    commands.push({ name: nameOf(command), act, isCarried: act ? isCarried : undefined });
  }
  const wrong: string[] = [];
  let judged = 0;
  for (const role of ["admin", "finance", "developer", "auditor"] as const) {
    const { token } = await signIn(role, role === "developer" ? own : undefined);
    for (const { name, act, isCarried } of commands) {
      const permission = act?.may ?? readsOverHttp[name];
      const may = permission && (permissions[permission] as readonly Role[]).includes(role);
      const { exit_code, stderr } = await run(token, `${name} ${argumentsOf(name)}`.trim());
      const code = /\b((OPER|CONS10)\d+)\b/.exec(stderr)?.[1] ?? "";
      const isOfServer = act ? !isCarried : permission === undefined;
      const due = () => {
        if (isOfServer) return "OPER110";
        if (act?.tokens === "none") return "OPER105";
        return may ? "" : "CONS102";
      };
      // What is not named with all that it needs is a wrong use, before it is asked who may do it.
      if (exit_code === 2 && code === "") continue;
      if (code === "OPER107" && role === "developer") continue;
      judged += 1;
      if (code !== due()) wrong.push(`${role}: ${name}: ${exit_code} ${stderr} not ${due()}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(judged).toBeGreaterThan(200);
});

function leaves(command: Awaited<ReturnType<typeof wholeProgram>>): (typeof command)[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

const placeholder = "00000000-0000-7000-8000-000000000000";
/** Enough for commands that take one id. */
const argumentsOf = (name: string) =>
  /(get|show|cancel|approve|decline|revoke|enable|disable)$/.test(name) ? placeholder : "";

test("a command is done by the user, and recorded with its token", async () => {
  const { user, token } = await signIn("admin");
  const made = await run(
    token,
    `keys create --name laptop --scopes read --subaccount ${own} --json`,
  );
  expect(made).toMatchObject({ exit_code: 0, stderr: "" });
  expect(JSON.parse(made.stdout)).toMatchObject({ subaccount_id: own, name: "laptop" });
  const { json } = await user.get(`/audit?who=${user.who}&action=key.create`);
  expect(json.rows).toMatchObject([{ who: user.who, token: "login on laptop" }]);
  const claimed = await run(token, `keys create --name x --subaccount ${own} --by ben`);
  expect(claimed).toMatchObject({ exit_code: 2, stdout: "" });
  expect(claimed.stderr).toContain("--by is for commands on the server");
});

test("a key of a user that may pay waits for a second user, unlike on the server", async () => {
  const { user, token } = await signIn("operator");
  await run(token, `keys create --name pays --scopes read,payout --subaccount ${own}`);
  const { json } = await user.get(`/approvals?kind=key&subaccount_id=${own}`);
  expect(json.rows).toMatchObject([{ made_by: user.who, is_own: true }]);
});

test("a developer finds nothing of another subaccount, by name or by id", async () => {
  const { token } = await signIn("developer", own);
  const other = await service.newCaller({ mode: "live" });
  const hidden = await run(token, `payouts list --subaccount ${foreign}`);
  expect(hidden.stderr).toBe(`There is no subaccount ${foreign}.\n`);
  const unknown = await run(token, `payouts list --subaccount ${placeholder}`);
  expect(unknown.stderr).toBe(`There is no subaccount ${placeholder}.\n`);
  const { key } = other;
  const byId = await run(token, `keys rename ${key} mine`);
  expect(byId).toMatchObject({ exit_code: unknown.exit_code, stdout: "" });
  expect((await run(token, "payouts list --json")).exit_code).toBe(0);
  expect((await run(token, "subaccount list")).stderr).toContain("OPER107");
});

test.each(["bank-files check /etc/passwd", "erasures apply /etc/passwd"])(
  "a command of the server asks for no file: %s",
  async (words) => {
    const { token } = await signIn("admin");
    const outcome = await run(token, words);
    expect(outcome).toMatchObject({ exit_code: 1, stdout: "" });
    expect(outcome.stderr).toContain("OPER110");
    expect(outcome).not.toHaveProperty("needs_file");
  },
);

test.each([
  ["rules propose /etc/passwd", "/etc/passwd"],
  ["bank-files inbound /etc/passwd", "/etc/passwd"],
  [`receivers create --file /etc/passwd --subaccount ${placeholder}`, "/etc/passwd"],
  ["screening import /etc/passwd --list un", "/etc/passwd"],
  ["bank-files inbound -", "-"],
  ["banks put /etc/passwd", "/etc/passwd"],
  ["payouts import /etc/passwd --yes", "/etc/passwd"],
  ["receivers import /etc/passwd", "/etc/passwd"],
  ["accounts import /etc/passwd --yes", "/etc/passwd"],
])("the file is asked of the client, and never read on the server: %s", async (words, path) => {
  const { token } = await signIn("admin");
  const asked = await run(token, words);
  expect(asked).toMatchObject({ stdout: "", needs_file: path });
  expect(asked.exit_code).not.toBe(0);
  expect(asked.stderr).not.toContain("root:");
  const bytes = Buffer.from("nothing that this command can read");
  const sent = await run(token, words, { files: { [path]: bytes.toString("base64") } });
  expect(sent).not.toHaveProperty("needs_file");
  expect(sent.exit_code).not.toBe(0);
  expect(sent.stderr).not.toContain("root:");
});

test("a role that may not do the act is refused before it is asked for a file", async () => {
  const { token } = await signIn("auditor");
  const outcome = await run(token, "bank-files inbound return.xml");
  expect(outcome.stderr).toContain("CONS102");
  expect(outcome).not.toHaveProperty("needs_file");
});

test("a bank file is printed with its bytes, and counts as downloaded only then", async () => {
  const payer = await service.newPayer();
  const connection = await service.connect("printed", [payer.subaccountId]);
  await payer.pay(12_500);
  const { path } = await service.approveFile(connection);
  const words = `bank-batches download ${path.split("/").at(-1)}`;
  const { user, token } = await signIn("operator");
  expect((await run(token, words)).stderr).toContain("Name the file with --to");
  expect((await user.get(path)).json).toMatchObject({ downloaded_at: null });
  const { exit_code, stdout } = await run(token, `${words} --to -`);
  const { sha256, downloaded_at } = (await user.get(path)).json;
  expect([exit_code, sha256Of(stdout)]).toEqual([0, sha256]);
  expect(downloaded_at).not.toBeNull();
});

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

test("operator tokens run commands, but no approval", async () => {
  const [ana, ben] = [service.enter("admin"), service.enter("admin")];
  const { token } = await newToken(ana, { role: "admin" }, ben);
  expect((await run(token, "users list --json")).stdout).toContain(ana.person.email);
  const { id } = ben.person;
  expect((await run(token, `users confirm ${id}`)).stderr).toContain("OPER105");
});

test("a command with an Idempotency-Key is done once", async () => {
  const { user, token } = await signIn("admin");
  const words = `keys create --name once --scopes read --subaccount ${own}`;
  const first = await run(token, words, { key: "k1" });
  expect(await run(token, words, { key: "k1" })).toEqual(first);
  const { json } = await user.get(`/s/${own}/keys`);
  expect(json.rows.filter(({ name }: { name: string }) => name === "once")).toHaveLength(1);
});

test("many commands at a time print each into its own response", async () => {
  const { token } = await signIn("admin");
  const all = await Promise.all(
    [own, foreign].flatMap((id) =>
      Array.from({ length: 5 }, () => run(token, `subaccount show ${id} --json`)),
    ),
  );
  const shown = all.map(({ stdout }) => [own, foreign].filter((id) => stdout.includes(id)));
  expect(shown).toEqual([...Array(5).fill([own]), ...Array(5).fill([foreign])]);
});

test("help and wrong words are answered as at a terminal", async () => {
  const { token } = await signIn("auditor");
  const help = await run(token, "payouts list --help");
  expect(help).toMatchObject({ exit_code: 0, stderr: "" });
  expect(help.stdout).toContain("Usage: disburse payouts list");
  const wrong = await run(token, "payouts lost");
  expect(wrong).toMatchObject({ exit_code: 2, stdout: "" });
  expect(wrong.stderr).toContain("unknown command");
});
