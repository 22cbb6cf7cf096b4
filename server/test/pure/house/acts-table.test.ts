// The table of acts against the doors: each act is carried where its row says, and what changes something is an act.

import type { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { actsByCommand, actsOverHttp } from "../../../src/doors/cli/act-command.ts";
import { wholeProgram } from "../../../src/doors/cli/program.ts";
import { actsByRoute } from "../../../src/doors/console/act-route.ts";
import { knownActs } from "../../../src/tenants/acts/act.ts";
import { moneyActs } from "../../../src/tenants/roles/four-eyes-table.ts";
import { consoleRoutes } from "../../support/console-routes.ts";

/** Routes that write and carry no act, with the reason. */
const otherRoutes: Record<string, string> = {
  "POST /console/api/auth/sign-in/email": "the sign-in library's",
  "POST /console/api/auth/sign-in/oauth2": "the sign-in library's",
  "POST /console/api/auth/sign-out": "the sign-in library's",
  "POST /console/api/auth/passkey/verify-authentication": "the sign-in library's",
  "POST /console/api/auth/passkey/verify-registration":
    "the sign-in library's, with an act after it",
  "POST /console/api/auth/passkey/delete-passkey": "the sign-in library's, with an act after it",
  "POST /console/api/set-up": "who follows an invitation is no user yet",
  "POST /console/api/set-up/passkey": "who follows an invitation is no user yet",
  "POST /console/api/set-up/passkey-options": "reads",
  "POST /console/api/set-up/look": "reads",
  "POST /console/api/step-up/passkey": "proves who one is",
  "POST /console/api/approvals/payouts/approve": "one act for each payout",
  "POST /console/api/s/:subaccountId/payouts/preview": "reads",
  "POST /console/api/s/:subaccountId/payouts/import/check": "reads",
  "POST /console/api/s/:subaccountId/receivers/import/check": "reads",
  "POST /console/api/s/:subaccountId/accounts/import/check": "reads",
  "POST /console/api/rules/check": "reads",
  "POST /console/api/command-line/look": "reads",
  "POST /console/api/audit/verify": "reads, and records the result",
  "POST /console/api/rules/backtest": "reads",
  "POST /console/api/banks/connections/:id/csv-mapping/preview": "reads",
};

/** Commands that carry no act: they read, concern the machine, or do one act for each row of a file. */
const otherCommands: Record<string, readonly string[]> = {
  reads: [
    ...["accounts get", "accounts list", "accounts validate", "audit list", "audit verify"],
    ...["audit verify-file", "bank-batches list", "bank-batches recalls", "bank-files check"],
    ...["bank-files list", "banks formats", "banks list", "banks show", "erasures export"],
    ...["endpoints list", "events get", "events list", "export", "keys list", "ledger balance"],
    "ledger funding",
    ...["ledger statement", "ledger verify", "logs tail", "payouts get", "payouts list"],
    ...["payouts set-aside", "payouts template", "payouts validate", "receivers get"],
    ...["receivers list", "reviews list", "rules backtest", "rules history", "rules show"],
    ...["screening compare", "screening embargo list", "screening hits", "screening lists"],
    ...["screening status", "statements closing", "statements closings", "statements doubtful"],
    ...["statements exceptions", "statements list", "statements open", "statements position"],
    ...["statements show", "subaccount list", "subaccount show", "suspense list"],
    ...["suspense show", "users list", "sign", "verify"],
  ],
  "concerns the installation": [
    ...["backup check", "backup list", "bank-simulator deposit", "database move-out"],
    ...["events listen", "master-key rewrap", "master-key rotate"],
    ...["master-key status", "migrate", "restore quarantine", "restore release"],
    ...["restore verify", "serve", "subaccount move", "subaccount purge"],
    ...["login", "logout", "whoami", "profiles", "mcp", "completion"],
    ...["users setup-link"],
  ],
  "calls a server from outside, as any caller of the API": ["conformance"],
  "acts for each row, or one of several": [
    "accounts import",
    "events trigger",
    "payouts import",
    "receivers import",
  ],
  "shows what it would save, and carries the act with --save": ["banks csv-mapping"],
};

/** Acts that doors carry in another way than by a line of their own. */
const carriedOtherwise: Record<string, readonly string[]> = {
  "bank.ask_add": ["cli"],
  "bank.csv-mapping": ["cli"],
  "event.trigger": ["cli"],
  "passkey.add": ["console"],
  "passkey.delete": ["console"],
};

let commands: Map<string, Command>;
let routes: string[];
beforeAll(async () => {
  commands = new Map(leavesOf(await wholeProgram()));
  const unsafe = (await consoleRoutes()).filter(({ method }) => !/^(GET|HEAD)$/.test(method));
  routes = unsafe.map(({ method, path }) => `${method} ${path}`);
});

function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  const own: [string, Command][] = [[words.join(" "), command]];
  const below = command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]));
  return below.length === 0 ? own : below;
}

test("every route of the console that writes carries an act, or is listed with a reason", () => {
  const others = routes.filter((route) => !actsByRoute.has(route));
  expect(others.sort()).toEqual(Object.keys(otherRoutes).sort());
});

test("every command carries an act, or is listed with a reason", () => {
  const others = [...commands].filter(([, command]) => !actsByCommand.has(command));
  expect(others.map(([words]) => words).sort()).toEqual(Object.values(otherCommands).flat().sort());
});

test("each act is carried by the doors that its row names, and by no other", () => {
  const doors = new Map<string, Set<string>>(knownActs().map(({ name }) => [name, new Set()]));
  for (const name of actsByRoute.values()) doors.get(name)?.add("console");
  for (const command of commands.values()) {
    for (const carried of [actsByCommand, actsOverHttp]) {
      doors.get(carried.get(command)?.name ?? "")?.add("cli");
    }
  }
  for (const [name, more] of Object.entries(carriedOtherwise)) {
    for (const door of more) {
      expect(doors.get(name), name).toBeDefined();
      expect(doors.get(name)?.has(door), name).toBe(false);
      doors.get(name)?.add(door);
    }
  }
  for (const { name, doors: named } of knownActs()) {
    expect([...(doors.get(name) ?? [])].sort(), name).toEqual(
      named.filter((door) => door !== "api").sort(),
    );
  }
});

test("an act for which a second user may be needed names a row of the table of four eyes", () => {
  const rows = moneyActs.map(({ act }) => act);
  const named = knownActs().flatMap(({ twoPeople }) =>
    twoPeople === undefined ? [] : [twoPeople],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((row) => !rows.includes(row))).toEqual([]);
});
