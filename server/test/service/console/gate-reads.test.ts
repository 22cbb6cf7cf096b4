// The gate in front of every route of the console that carries no act, which is every list and read: each role, in own and
// foreign subaccounts, test and live. gate-acts.test.ts is about the acts.

import { afterAll, beforeAll, expect, test } from "vitest";
import { actsByRoute } from "../../../src/doors/console/act-route.ts";
import { type Permission, permissions, type Role, roles } from "../../../src/tenants/roles/user.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { consoleRoutes } from "../../support/console-routes.ts";

/** Which permission each route needs: the first line that fits. A route that fits none has to be added. */
const permissionsOfRoutes: readonly (readonly [RegExp, Permission])[] = [
  [/^GET \/(users|tokens)/, "users.read"],
  [/^GET \/(reviews|screening)/, "reviews.read"],
  [/^GET \/approvals/, "approvals.read"],
  [/^POST \/approvals\/payouts\/approve$/, "payouts.approve"],
  [/^POST \/rules\/check$/, "rules.propose"],
  [/^(GET|POST) \/rules/, "rules.read"],
  [/^(GET|POST) \/audit/, "audit.read"],
  [/^GET \/banks\/(formats|connections\/:id)$/, "banks.write"],
  [/\/csv-mapping(\/preview)?$/, "banks.write"],
  [/^GET \/(banks|reconcile)/, "banks.read"],
  [/\/import\/template[a-z-]*\.csv$/, "read"],
  [/^GET \/s\/:subaccountId\/.+\.(csv|pdf)$/, "export"],
  [/^GET \/s\/:subaccountId\//, "read"],
  [/^POST \/s\/:subaccountId\/payouts\/(preview|import\/check)$/, "payouts.create"],
  [/^POST \/s\/:subaccountId\/receivers\/import\/check$/, "receivers.write"],
  [/^POST \/s\/:subaccountId\/accounts\/import\/check$/, "accounts.propose"],
  // About the user alone.
  [/^GET \/(me|views|search|sessions|step-up|subaccounts(\/by-id)?)$/, "read"],
  [/^POST \/command-line\/look$/, "read"],
  [/^(GET|POST) \/auth\/passkey\/|^POST \/(step-up\/passkey|auth\/sign-out)$/, "read"],
];

const withStepUp = [
  "GET /auth/passkey/generate-register-options",
  "POST /approvals/payouts/approve",
  "POST /auth/passkey/delete-passkey",
  "POST /auth/passkey/verify-registration",
];

const noRecentProof = Date.now() - 24 * 60 * 60 * 1000;
const placeholder = "00000000-0000-7000-8000-000000000000";
const gateCodes = /^40[134] CONS10[1235]$/;

/** It ends the session, so it is asked last. */
const signOut = "POST /auth/sign-out";

type Walked = { name: string; method: string; path: string; may: Permission; stepUp: boolean };

let service: ConsoleService;
let walked: Walked[];
let subaccounts: Record<"live" | "test" | "foreign", string>;
beforeAll(async () => {
  service = await startConsole();
  const [live, own, foreign] = await Promise.all([
    service.newCaller({ mode: "live" }),
    service.newCaller({ mode: "test" }),
    service.newCaller({ mode: "live" }),
  ]);
  subaccounts = {
    live: live.subaccountId,
    test: own.subaccountId,
    foreign: foreign.subaccountId,
  };
  const routes = await consoleRoutes();
  walked = routes
    .filter(({ method, path }) => method !== "HEAD" && !actsByRoute.has(`${method} ${path}`))
    .filter(({ config }) => !config.open)
    .map(({ method, path, config: { may, stepUp = false } }) => ({
      ...{ name: `${method} ${path.replace("/console/api", "")}`, method, path, stepUp },
      may: may as Permission,
    }))
    .sort((a, b) => Number(a.name === signOut) - Number(b.name === signOut));
});
afterAll(() => service.close());

test("each route needs the permission and the re-authentication that are written here", () => {
  expect(walked.length).toBeGreaterThan(100);
  expect(walked.map(({ name, may }) => [name, may])).toEqual(
    walked.map(({ name }) => [
      name,
      permissionsOfRoutes.find(([pattern]) => pattern.test(name))?.[1],
    ]),
  );
  const proven = walked.filter(({ stepUp }) => stepUp).map(({ name }) => name);
  expect(proven.sort()).toEqual(withStepUp);
});

/** The outcome of the gate; `through` if the route itself answers. */
async function ask(cookie: string, { method, path }: Walked, subaccountId: string) {
  const address = path.replace(":subaccountId", subaccountId).replace(/:\w+/g, placeholder);
  const isRead = method === "GET";
  const response = await fetch(service.baseUrl + address, {
    method,
    redirect: "manual",
    headers: {
      cookie,
      "sec-fetch-site": "same-origin",
      ...(!isRead && { origin: service.baseUrl, "x-requested-with": "disburse-console" }),
    },
  });
  expect(response.status, address).not.toBe(500);
  if (response.status < 400) {
    // The live stream would never end.
    await response.body?.cancel();
    return "through";
  }
  const body = (await response.json()) as { error?: { code: string }[] };
  const outcome = `${response.status} ${body.error?.[0]?.code}`;
  return gateCodes.test(outcome) ? outcome : "through";
}

test.each(roles)("%s: the gate lets through whom the permission of a read names", async (role) => {
  const { live, test: own, foreign } = subaccounts;
  const places = [
    { own: live, asked: live, isProven: true },
    { own: live, asked: live, isProven: false },
    { own, asked: own, isProven: true },
    { own, asked: foreign, isProven: true },
    { own, asked: placeholder, isProven: true },
    { own, asked: "x", isProven: true },
  ];
  const wrong: string[] = [];
  for (const { own, asked, isProven } of places) {
    // Only a developer sees some subaccounts and not others.
    const sees = role === "developer" ? { subaccountId: own } : {};
    const user = service.enter(role, { ...sees, ...(!isProven && { provenAtMs: noRecentProof }) });
    await user.ready;
    const isHidden = asked !== own && (role === "developer" || asked !== foreign);
    const dueOf = ({ may, stepUp, path }: Walked) => {
      if (isHidden && path.includes(":subaccountId")) return "404 CONS105";
      if (!(permissions[may] as readonly Role[]).includes(role)) return "403 CONS102";
      return stepUp && !isProven ? "403 CONS103" : "through";
    };
    const check = async (route: Walked) => {
      const outcome = await ask(user.cookie, route, asked);
      const due = dueOf(route);
      if (outcome !== due) wrong.push(`${route.name} in ${asked}: ${outcome}, not ${due}`);
    };
    await Promise.all(walked.slice(0, -1).map(check));
    await Promise.all(walked.slice(-1).map(check));
  }
  expect(wrong).toEqual([]);
});
