// /console/api: the routes of the console. Each of them passes the gate.

import type { RouteOptions } from "fastify";
import type { PayoutImportParts } from "../../money/imports/index.ts";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Api } from "../../platform/http/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { findLiveSessions } from "../../tenants/user-records/index.ts";
import { type LogInParts, logIn } from "../../tenants/users/index.ts";
import { simulateOutcomeAct } from "../test-helpers/index.ts";
import { ownAccountRoutes } from "./account/routes.ts";
import { actRoute } from "./act-route.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { type AuditParts, auditRoutes } from "./audit/routes.ts";
import { balanceRoutes } from "./balances/routes.ts";
import { bankCalendarRoutes } from "./bank-calendar/routes.ts";
import { bankChangeRoutes } from "./bank-changes/routes.ts";
import { bankInboundRoutes } from "./bank-inbound/routes.ts";
import { bankRequestRoutes } from "./bank-requests/routes.ts";
import { bankRoutes } from "./banks/routes.ts";
import { payoutBatchRoutes } from "./batches/routes.ts";
import { csvMappingRoutes } from "./csv-mapping/routes.ts";
import { consoleEventRoutes } from "./events/routes.ts";
import { consoleGate } from "./gate.ts";
import { accountImportRoutes } from "./imports/account-routes.ts";
import { receiverImportRoutes } from "./imports/receiver-routes.ts";
import { importRoutes } from "./imports/routes.ts";
import { keyRoutes } from "./keys/routes.ts";
import { limitRoutes } from "./limits/routes.ts";
import { liveStreams } from "./live/live.ts";
import { liveRoutes } from "./live/routes.ts";
import { consoleAddress } from "./login/address.ts";
import { oidcRoutes } from "./login/oidc.ts";
import { passkeyRoutes } from "./login/passkeys.ts";
import { authRoutes } from "./login/routes.ts";
import { meRoutes } from "./me/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { type ConsolePayoutParts, consolePayoutRoutes } from "./payouts/routes.ts";
import { quickstartRoutes } from "./quickstart/routes.ts";
import { type ReceiverScreenParts, receiverScreenRoutes } from "./receivers/routes.ts";
import { reconcileRoutes } from "./reconcile/routes.ts";
import { requestScreenRoutes } from "./requests/routes.ts";
import { reviewCaseRoutes } from "./reviews/case-routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { rollups } from "./rollups/catch-up.ts";
import type { ConsoleAccess } from "./route.ts";
import { ruleRoutes } from "./rules/routes.ts";
import { consoleScope } from "./scope.ts";
import { screeningRoutes } from "./screening/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { wordIndexer } from "./search/word-indexer.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { statementRoutes } from "./statements/routes.ts";
import { subaccountListRoutes } from "./subaccounts/routes.ts";
import { suspenseRoutes } from "./suspense/routes.ts";
import { tokenRoutes } from "./tokens/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { viewRoutes } from "./views/routes.ts";
import { endpointListRoutes } from "./webhook-endpoints/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export type ConsoleParts = Omit<ReceiverScreenParts, "words"> &
  Omit<ConsolePayoutParts, "rollups"> &
  PayoutImportParts &
  AuditParts & {
    db: Db;
    seal: Seal;
    clock: Clock;
    log: Log;
    isDraining: () => boolean;
    /** Checks the URLs of webhook endpoints. */
    addresses: AddressPolicy;
    consoleUrl: string | undefined;
    /** A restored copy that is not released. */
    isQuarantined?: boolean | undefined;
    oidc: LogInParts["oidc"];
  };

/** Returns the routes, for the door of programs. */
export async function registerConsole(app: Api, parts: ConsoleParts): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const { db, seal, clock, log, oidc, addresses } = parts;
  const { url: consoleUrl, origins } = consoleAddress(app, parts.consoleUrl);
  const onError = (error: unknown) => log.warn({ err: error }, "sign-in");
  const login = logIn({ db, seal, clock, consoleUrl, oidc, onError });
  const words = wordIndexer({ db, clock, onError: (error) => log.warn({ err: error }, "search") });
  const rollUps = rollups({ db, clock, onError: (error) => log.warn({ err: error }, "roll-ups") });
  const live = liveStreams({
    db,
    clock,
    isDraining: parts.isDraining,
    findLive: (ids) => findLiveSessions(db, { ids, nowMs: clock() }),
    onError: (error) => log.warn({ err: error }, "live streams"),
  });
  app.addHook("onClose", async () => {
    live.close();
    await Promise.all([rollUps.close(), words.close()]);
  });
  app.decorateRequest("access", null as unknown as ConsoleAccess);
  await app.register(async (console: Api) => {
    const admit = consoleGate({ db, clock, findSession: login.findSession, origins });
    console.addHook("onRoute", (route) => {
      route.schema = { ...route.schema, hide: true };
      routes.push(route);
    });
    consoleScope(console, admit);

    const authParts = { db, seal, clock, login };
    authRoutes(console, authParts);
    passkeyRoutes(console, authParts);
    oidcRoutes(console, authParts);
    ownAccountRoutes(console, { db, seal, clock, login });
    userRoutes(console, { db, seal, clock, consoleUrl });
    meRoutes(console, parts);
    viewRoutes(console, { db, seal, clock });
    subaccountListRoutes(console, { db, words });
    consolePayoutRoutes(console, { ...parts, rollups: rollUps });
    importRoutes(console, parts);
    receiverImportRoutes(console, parts);
    accountImportRoutes(console, parts);
    payoutBatchRoutes(console, parts);
    receiverScreenRoutes(console, { ...parts, words });
    requestScreenRoutes(console, { db, clock, origin: consoleUrl });
    reviewRoutes(console, parts);
    reviewCaseRoutes(console, { ...parts, onDue: parts.onPayoutDue });
    searchRoutes(console, { db, words });
    approvalRoutes(console, parts);
    bankChangeRoutes(console, parts);
    limitRoutes(console, { db, seal, clock });
    ruleRoutes(console, parts);
    screeningRoutes(console, { db, seal, clock });
    auditRoutes(console, parts);
    liveRoutes(console, { live });
    overviewRoutes(console, { db, clock, rollups: rollUps });
    balanceRoutes(console, { db, seal, clock, rollups: rollUps });
    reconcileRoutes(console, { db, seal, clock, rollups: rollUps });
    quickstartRoutes(console, parts);
    const outcomes = "/console/api/s/:subaccountId/simulated-outcomes";
    actRoute(console, parts, `POST ${outcomes}`, simulateOutcomeAct);
    endpointListRoutes(console, { db, seal, clock, addresses });
    webhookRoutes(console, { db, seal, clock, addresses, rollups: rollUps });
    consoleEventRoutes(console, { db, seal, clock });
    keyRoutes(console, { db, seal, clock });
    bankRoutes(console, { db, seal, clock });
    bankCalendarRoutes(console, { db, seal, clock });
    bankInboundRoutes(console, { db, seal, clock });
    bankRequestRoutes(console, { db, seal, clock });
    csvMappingRoutes(console, { db, seal, clock });
    suspenseRoutes(console, { db, seal, clock });
    statementRoutes(console, { db, seal, clock });
    settingsRoutes(console, { db, seal, clock, addresses, retention: parts.retention });
    tokenRoutes(console, { db, seal, clock });
  });
  return routes;
}
