// The gate of /operator/v1 in front of every route of the console: each role, in own and foreign subaccounts.

import { afterAll, beforeAll, expect, test } from "vitest";
import { actsByRoute } from "../../../src/doors/console/act-route.ts";
import { knownActs } from "../../../src/tenants/acts/act.ts";
import { permissions, type Role, roles } from "../../../src/tenants/roles/user.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { consoleRoutes, type Route } from "../../support/console-routes.ts";
import { callOperator, newToken, signInCommand } from "../../support/operator.ts";

const placeholder = "00000000-0000-7000-8000-000000000000";
const gateCodes = /^40[134] (CONS10[1235]|OPER10\d)$/;
/** There is no such route, or none of this method. */
const isMissing = /^40[45] SYST10[12]$/;

/** What no operator token does, with the reason. */
const onlyLogins: Record<string, string> = {
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
  "payout.approve": "an approval",
  "payout.release": "an approval",
  "payout.resolve": "an approval, by the second user",
  "people.finance_approval": "an approval, by the second admin",
  "person.confirm": "an approval",
  "person.invite": "a link to sign in",
  "person.reset": "a link to sign in",
  "receiver.export": "whole account numbers",
  "review.approve": "an approval",
  "review.different": "an approval",
  "rules.approve": "an approval",
  "screening.approve": "an approval",
};

/** What only a browser does. */
const onlyBrowsers: readonly string[] = [
  ...["login.confirm", "login.decline", "passkey.add", "passkey.delete", "person.password"],
  ...["session.end", "session.step-up", "token.approve", "token.create", "token.revoke"],
  ...["view.delete", "view.save"],
];

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
  "POST /auth/passkey/delete-passkey",
  "POST /auth/passkey/verify-authentication",
  "POST /auth/passkey/verify-registration",
  "POST /auth/sign-in/email",
  "POST /auth/sign-in/oauth2",
  "POST /auth/sign-out",
  "POST /command-line/look",
  "POST /set-up",
  "POST /set-up/look",
  "POST /set-up/passkey",
  "POST /set-up/passkey-options",
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

test("operator tokens do every act, but those that are listed with a reason", () => {
  const marked = (tokens: string) =>
    knownActs().flatMap((act) => (act.tokens === tokens ? [act.name] : []));
  expect(marked("logins").sort()).toEqual(Object.keys(onlyLogins).sort());
  expect(marked("none").sort()).toEqual([...onlyBrowsers].sort());
});

const isCarried = (route: Route) =>
  !onlyBrowsers.includes(actOf(route) ?? "") && !readsNotCarried.includes(nameOf(route));
const permitted = ({ config }: Route) =>
  (permissions[config.may as keyof typeof permissions] ?? []) as readonly Role[];
const isOnlyOfLogins = (route: Route) =>
  (actOf(route) ?? "") in onlyLogins || nameOf(route) === "POST /approvals/payouts/approve";

test.each(roles)("%s: an operator token does what its role may do", async (role) => {
  const wrong: string[] = [];
  for (const reach of ["all", "some"]) {
    const token = tokens.get(`${role} ${reach}`);
    if (!token) continue;
    for (const route of routes) {
      const isOfOne = route.path.includes(":subaccountId");
      // What a role may do does not decide which subaccounts a token sees.
      const places = reach === "all" ? [live] : role === "admin" ? [own, foreign] : [own];
      for (const place of isOfOne ? places : [live]) {
        const outcome = await ask(token, route, place);
        const due = () => {
          if (!isCarried(route)) return "not carried";
          if (isOnlyOfLogins(route)) return "403 OPER105";
          const isSeen = isOfOne || permitted(route).includes("developer");
          if (reach === "some" && !isSeen) return "403 OPER107";
          if (reach === "some" && place === foreign) return "404 CONS105";
          return permitted(route).includes(role) ? "through" : "403 CONS102";
        };
        if (outcome !== due())
          wrong.push(`${nameOf(route)} with ${reach}: ${outcome}, not ${due()}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each(roles)("%s: a command line does what its user may do", async (role) => {
  const wrong: string[] = [];
  const sees = role === "developer" ? { subaccountId: own } : {};
  for (const isProven of [true, false]) {
    const user = service.enter(role, sees);
    const { token } = await signInCommand(service.baseUrl, user);
    if (!isProven) {
      const { id } = user.person;
      await service.db.pool.query(
        "update user_session set proven_at = now() - interval '6 minutes' where user_id = $1",
        [id],
      );
    }
    const needs = (route: Route) => route.config.stepUp === true || isOnlyOfLogins(route);
    for (const route of isProven ? routes : routes.filter(needs)) {
      const outcome = await ask(token, route, own);
      const needsProof = needs(route);
      const due = () => {
        if (!isCarried(route)) return "not carried";
        if (isOnlyOfLogins(route) && !isProven) return "403 CONS103";
        if (!permitted(route).includes(role)) return "403 CONS102";
        return needsProof && !isProven ? "403 CONS103" : "through";
      };
      if (outcome !== due()) wrong.push(`${nameOf(route)}, ${isProven}: ${outcome}, not ${due()}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("without a token, and with what is none, every route is refused", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const asked = routes.filter(isCarried);
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
