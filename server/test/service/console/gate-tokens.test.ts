// The gate of /operator/v1 in front of every route of the console: each role, in own and foreign subaccounts.

import { afterAll, beforeAll, expect, test } from "vitest";
import { actsByRoute } from "../../../src/doors/console/act-route.ts";
import { knownActs } from "../../../src/tenants/acts/act.ts";
import { permissions, type Role, roles } from "../../../src/tenants/roles/user.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { consoleRoutes, type Route } from "../../support/console-routes.ts";
import { callOperator, newToken } from "../../support/operator.ts";

const placeholder = "00000000-0000-7000-8000-000000000000";
const gateCodes = /^40[134] (CONS10[1235]|OPER10\d)$/;
/** There is no such route, or none of this method. */
const isMissing = /^40[45] SYST10[12]$/;

/** What no token does, with the reason. Every other route is carried. */
const notCarried: Record<string, string> = {
  "account.approve": "an approval",
  "account.reveal": "a whole account number",
  "account.reveal_change": "a whole account number",
  "bank-batch.approve": "an approval",
  "bank-batch.discard": "an approval, where the file may have left",
  "bank-batch.download": "whole account numbers",
  "bank-batch.view": "whole account numbers",
  "bank-request.confirm": "an approval",
  "bank.approve_request": "an approval",
  "batch.approve": "an approval",
  "change_request.approve": "an approval",
  "passkey.add": "signing in",
  "passkey.delete": "signing in",
  "payout.approve": "an approval",
  "payout.release": "an approval",
  "payout.resolve": "an approval, by the second user",
  "people.finance_approval": "an approval, by the second admin",
  "person.confirm": "an approval",
  "person.invite": "a link to sign in",
  "person.password": "signing in",
  "person.reset": "a link to sign in",
  "receiver.export": "whole account numbers",
  "review.approve": "an approval",
  "review.different": "an approval",
  "rules.approve": "an approval",
  "screening.approve": "an approval",
  "session.end": "signing in",
  "session.step-up": "signing in",
  "token.approve": "an approval",
  "token.create": "signing in",
  "token.revoke": "signing in",
  "view.delete": "of a user's browser",
  "view.save": "of a user's browser",
};

/** Routes without an act that no token has. */
const readsNotCarried = [
  "GET /auth-options",
  "GET /auth/callback/oidc",
  "GET /auth/passkey/generate-authenticate-options",
  "GET /auth/passkey/generate-register-options",
  "GET /auth/passkey/list-user-passkeys",
  "GET /s/:subaccountId/live",
  "GET /sessions",
  "GET /step-up",
  "GET /tokens",
  "GET /views",
  "POST /approvals/payouts/approve",
  "POST /auth/passkey/delete-passkey",
  "POST /auth/passkey/verify-authentication",
  "POST /auth/passkey/verify-registration",
  "POST /auth/sign-in/email",
  "POST /auth/sign-in/oauth2",
  "POST /auth/sign-out",
  "POST /set-up",
  "POST /set-up/look",
  "POST /step-up/passkey",
];

let service: ConsoleService;
let routes: Route[];
let [live, own, foreign] = ["", "", ""];
const tokens = new Map<string, string>();
beforeAll(async () => {
  service = await startConsole();
  routes = (await consoleRoutes()).filter(({ method }) => method !== "HEAD");
  const callers = await Promise.all([
    service.newCaller({ mode: "live" }),
    service.newCaller({ mode: "test" }),
    service.newCaller({ mode: "live" }),
  ]);
  [live, own, foreign] = callers.map(({ subaccountId }) => subaccountId) as [
    string,
    string,
    string,
  ];
  const [first, second] = [service.enter("admin"), service.enter("admin")];
  for (const role of roles) {
    const some = { role, subaccountIds: [live, own] };
    tokens.set(`${role} some`, (await newToken(first, some, second)).token);
    if (role === "developer") continue;
    tokens.set(`${role} all`, (await newToken(first, { role }, second)).token);
  }
});
afterAll(() => service.close());

const nameOf = ({ method, path }: Route) => `${method} ${path.replace("/console/api", "")}`;
const actOf = ({ method, path }: Route) => actsByRoute.get(`${method} ${path}`);

async function ask(token: string | undefined, route: Route, subaccountId: string) {
  const path = route.path
    .replace("/console/api", "")
    .replace(":subaccountId", subaccountId)
    .replace(/:\w+|\*/g, placeholder);
  const body = route.method === "GET" ? {} : { body: {} };
  const { status, code } = await callOperator(service.baseUrl, token, route.method, path, body);
  expect(status, nameOf(route)).not.toBe(500);
  const outcome = `${status} ${code}`;
  if (isMissing.test(outcome)) return "not carried";
  return gateCodes.test(outcome) ? outcome : "through";
}

test("every route is carried, but those that are listed with a reason", () => {
  const left = routes.filter(({ config }) => config.tokens || config.open || config.stream);
  const acts = new Set(left.flatMap((route) => actOf(route) ?? []));
  const marked = knownActs().filter(({ tokens, doors }) => tokens && doors.includes("console"));
  const named = [...new Set([...acts, ...marked.map(({ name }) => name)])].sort();
  expect(named).toEqual(Object.keys(notCarried).sort());
});

test.each(roles)("%s: a token does what its role may do, and nothing else", async (role) => {
  const wrong: string[] = [];
  for (const reach of ["all", "some"]) {
    const token = tokens.get(`${role} ${reach}`);
    if (!token) continue;
    for (const route of routes) {
      const isOfOne = route.path.includes(":subaccountId");
      const places = reach === "all" ? [live] : [own, foreign];
      for (const place of isOfOne ? places : [live]) {
        const outcome = await ask(token, route, place);
        const act = actOf(route);
        const isCarried =
          !(act !== undefined && act in notCarried) && !readsNotCarried.includes(nameOf(route));
        const may = permissions[route.config.may as keyof typeof permissions] as readonly Role[];
        const isOfDeveloper = may?.includes("developer");
        const due = () => {
          if (!isCarried) return "not carried";
          if (reach === "some" && !isOfOne && !isOfDeveloper) return "403 OPER107";
          if (reach === "some" && place === foreign) return "404 CONS105";
          return may.includes(role) ? "through" : "403 CONS102";
        };
        if (outcome !== due())
          wrong.push(`${nameOf(route)} with ${reach}: ${outcome}, not ${due()}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("without a token, and with what is none, every route is refused", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const carried = routes.filter((route) => !readsNotCarried.includes(nameOf(route)));
  const asked = carried.filter((route) => !((actOf(route) ?? "") in notCarried));
  expect(asked.length).toBeGreaterThan(150);
  const found = new Set<string>();
  for (const route of asked) {
    for (const token of [undefined, "ot_x", `ot_${"x".repeat(43)}`]) {
      found.add(await ask(token, route, live));
    }
  }
  expect([...found]).toEqual(["401 OPER101"]);
  const headers = { cookie: admin.cookie, "x-requested-with": "disburse-console" };
  const byCookie = await callOperator(service.baseUrl, undefined, "GET", "/me", { headers });
  expect([byCookie.status, byCookie.code]).toEqual([401, "OPER101"]);
});

test("a token opens neither the console nor the API", async () => {
  const headers = { authorization: `Bearer ${tokens.get("admin all")}` };
  const console_ = await fetch(`${service.baseUrl}/console/api/me`, { headers });
  expect((await console_.json()).error[0].code).toBe("CONS101");
  const api = await fetch(`${service.baseUrl}/api/receiver`, { headers });
  expect((await api.json()).error[0].code).toBe("AUTH101");
});
