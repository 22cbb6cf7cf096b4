// The gate in front of every act of the console, as its row in the table of acts says: each role, with and without a recent
// re-authentication, in own and foreign subaccounts, test and live.

import { expect, test } from "vitest";
import { actsByRoute } from "../../../src/doors/console/act-route.ts";
import { knownActs } from "../../../src/tenants/acts/act.ts";
import { permissions, type Role, roles } from "../../../src/tenants/roles/user.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { outcomeOf } from "../../support/service.ts";

const noRecentProof = Date.now() - 24 * 60 * 60 * 1000;
const gateCodes = /^40[134] CONS10[1235]$/;

const service = await closeAfterTests(startConsole());
const [live, own, foreign] = await Promise.all([
  service.newCaller({ mode: "live" }),
  service.newCaller({ mode: "test" }),
  service.newCaller({ mode: "live" }),
]);
const subaccounts = {
  live: live.subaccountId,
  test: own.subaccountId,
  foreign: foreign.subaccountId,
};

/** The users of a role: one who has just proved who they are, and one who has not. A developer sees one subaccount. */
const usersOf = (role: Role, sees: string) => {
  const subaccount = role === "developer" ? { subaccountId: sees } : {};
  return [
    { isProven: true, user: service.enter(role, subaccount) },
    { isProven: false, user: service.enter(role, { ...subaccount, provenAtMs: noRecentProof }) },
  ];
};

const placeholder = "00000000-0000-7000-8000-000000000000";
/** Acts that end the session with which they are done: they come last. */
const endsSession = new Set(["session.end", "person.password"]);

const routesToAsk = () => {
  const acts = new Map(knownActs().map((act) => [act.name, act]));
  return [...actsByRoute]
    .map(([route, name]) => {
      const [method = "", url = ""] = route.split(" ");
      const act = acts.get(name);
      if (!act) throw new Error(`${route} carries no known act`);
      return { method: method.toLowerCase() as "post", url, act };
    })
    .sort((a, b) => Number(endsSession.has(a.act.name)) - Number(endsSession.has(b.act.name)));
};

async function ask(
  user: ReturnType<ConsoleService["enter"]>,
  { method, url }: { method: "post"; url: string },
  subaccountId: string,
): Promise<string> {
  const path = url
    .replace("/console/api", "")
    .replace(":subaccountId", subaccountId)
    .replace(/:\w+/g, placeholder);
  const answer = await user[method](path);
  expect(answer.status, `${method} ${url}: ${answer.text}`).not.toBe(500);
  const outcome = outcomeOf(answer);
  return gateCodes.test(outcome) ? outcome : "through";
}

test.each(roles)("%s: the gate of every act lets through whom its row names", async (role) => {
  const wrong: string[] = [];
  const routes = routesToAsk();
  expect(routes.length).toBeGreaterThan(60);
  for (const mode of ["live", "test"] as const) {
    for (const { isProven, user } of usersOf(role, subaccounts[mode])) {
      for (const route of routes) {
        const { act, method, url } = route;
        const mayDoIt = (permissions[act.may] as readonly Role[]).includes(role);
        const proof = act.stepUp && !isProven ? "403 CONS103" : "through";
        const due = mayDoIt ? proof : "403 CONS102";
        const outcome = await ask(user, route, subaccounts[mode]);
        if (outcome !== due) {
          wrong.push(`${method} ${url} (${act.name}) in ${mode}: ${outcome}, not ${due}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("a user who sees one subaccount finds no act in another, and leaves no audit entry there", async () => {
  const [first] = usersOf("developer", subaccounts.test);
  const user = first?.user as ReturnType<ConsoleService["enter"]>;
  const routes = routesToAsk().filter(({ url }) => url.includes(":subaccountId"));
  expect(routes.length).toBeGreaterThan(30);
  const found = new Set<string>();
  for (const route of routes) {
    for (const id of [subaccounts.foreign, placeholder, "x"]) {
      found.add(await ask(user, route, id));
    }
  }
  expect([...found]).toEqual(["404 CONS105"]);
  const { rows } = await service.db.pool.query(
    "select action from audit_entry where subaccount_id = $1",
    [subaccounts.foreign],
  );
  expect(rows).toEqual([]);
});

test("what the gate refuses leaves no audit entry", async () => {
  const [, late] = usersOf("auditor", subaccounts.live);
  const user = late?.user as ReturnType<ConsoleService["enter"]>;
  const asked = routesToAsk().filter(
    ({ act }) => !(permissions[act.may] as readonly Role[]).includes("auditor"),
  );
  for (const route of asked) await ask(user, route, subaccounts.live);
  const { rows } = await service.db.pool.query("select action from audit_entry where who = $1", [
    user.who,
  ]);
  expect(rows).toEqual([]);
});
