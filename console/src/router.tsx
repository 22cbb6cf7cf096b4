// Every page of the console and its address. Each screen is loaded when it is first shown.

import { QueryClient } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { wasIdle } from "./api/activity.ts";
import { onSessionEnd } from "./api/call.ts";
import { firstOf, type Me, meQuery } from "./api/me.ts";
import { ApiProblem } from "./api/problem.ts";
import { type Subaccount, subaccountQuery } from "./api/subaccounts.ts";
import { LoginScreen } from "./login/login-screen.tsx";
import { overviewQuery } from "./overview/overview.ts";
import { type LoadScreen, lazyPage } from "./shell/lazy-page.ts";
import {
  BrokenEntry,
  BrokenPage,
  MissingEntry,
  MissingPage,
  PageLoading,
} from "./shell/page-states.tsx";
import { Shell } from "./shell/shell.tsx";
import { SubaccountPages } from "./shell/subaccount-pages.tsx";
import { parseSearch, searchOf, stringifySearch } from "./state/filters.ts";
import { drafts, remembered, wayBack } from "./state/remembered.ts";
import { currentZone } from "./state/zone.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    // Requests are sent even when the browser is offline, because the server may be on this machine. Otherwise they would
    // wait silently.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 5_000,
      // A refusal is final. A missing response may be temporary.
      retry: (count, error) =>
        count < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
    },
  },
});

const root = createRootRoute({
  validateSearch: searchOf,
  notFoundComponent: MissingEntry,
  errorComponent: BrokenEntry,
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: LoginScreen,
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: lazyPage(() => import("./set-up/set-up-screen.tsx"), "SetUpScreen"),
});

/** Old addresses, which may be bookmarked. */
const renamed = Object.entries({ "/log-in": "/sign-in", "/people": "/users" } as const).map(
  ([path, to]) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: ({ search }) => {
        throw redirect({ to, search, replace: true });
      },
    }),
);

/** For users who are signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Shell,
  errorComponent: BrokenEntry,
  beforeLoad: async ({ location }) => {
    try {
      const me = await queryClient.ensureQueryData(meQuery);
      drafts.removeOfOthers(me.id);
      return { me, last: await seenSubaccount(me, remembered.get("subaccount") ?? undefined) };
    } catch (error) {
      if (!(error instanceof ApiProblem && error.has("CONS101"))) throw error;
      const next = location.pathname === "/" ? {} : { next: location.href };
      throw redirect({ to: "/sign-in", search: next });
    }
  },
});

/** Asked for before a page is shown, so that every part of it knows the subaccount. */
async function seenSubaccount(me: Me, id: string | undefined): Promise<Subaccount | undefined> {
  const known = me.subaccounts.find((one) => one.id === id);
  if (known || id === undefined) return known;
  return (await queryClient.ensureQueryData(subaccountQuery(id)).catch(() => null)) ?? undefined;
}

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: ({ context: { me, last } }) => {
    const next = wayBack.take();
    if (next?.startsWith("/") && next !== "/")
      throw redirect({ href: `/console${next}`, replace: true });
    const subaccount = last ?? firstOf(me.subaccounts);
    if (!subaccount) return;
    const to =
      me.role === "developer" ? "/s/$subaccountId/quickstart" : "/s/$subaccountId/overview";
    throw redirect({ to, params: { subaccountId: subaccount.id }, replace: true });
  },
  component: lazyPage(() => import("./shell/no-subaccount.tsx"), "NoSubaccount"),
});

const across = <const Path extends string, Name extends string>(
  path: Path,
  load: LoadScreen<Name>,
  name: Name,
) => createRoute({ getParentRoute: () => inside, path, component: lazyPage(load, name) });

const subaccount = createRoute({
  getParentRoute: () => inside,
  path: "/s/$subaccountId",
  beforeLoad: async ({ context: { me }, params }) => {
    await seenSubaccount(me, params.subaccountId);
  },
  component: SubaccountPages,
});

const of = <const Path extends string, Name extends string>(
  path: Path,
  load: LoadScreen<Name>,
  name: Name,
) => createRoute({ getParentRoute: () => subaccount, path, component: lazyPage(load, name) });

const overview = createRoute({
  getParentRoute: () => subaccount,
  path: "overview",
  component: lazyPage(() => {
    // At the same time: the screen asks for its charts only once it has its figures.
    void import("./overview/charts.tsx").catch(() => undefined);
    return import("./overview/overview-screen.tsx");
  }, "OverviewScreen"),
  loaderDeps: ({ search }) => search,
  // Its figures are loaded at the same time as its code. The screen shows what goes wrong.
  loader: ({ params, deps }) => {
    void queryClient.prefetchQuery(overviewQuery(params.subaccountId, deps, currentZone()));
  },
});

const routes = root.addChildren([
  login,
  setUp,
  ...renamed,
  inside.addChildren([
    home,
    across("/reviews", () => import("./reviews/reviews-screen.tsx"), "ReviewsScreen"),
    across("/approvals", () => import("./approvals/approvals-screen.tsx"), "ApprovalsScreen"),
    across("/rules", () => import("./rules/rules-screen.tsx"), "RulesScreen"),
    across("/rules/change", () => import("./rules/change-screen.tsx"), "ChangeScreen"),
    across("/screening", () => import("./screening/screening-screen.tsx"), "ScreeningScreen"),
    across(
      "/screening/versions/$versionId",
      () => import("./screening/version-screen.tsx"),
      "VersionScreen",
    ),
    across("/banks", () => import("./banks/banks-screen.tsx"), "BanksScreen"),
    across("/banks/batches/$batchId", () => import("./banks/batch-screen.tsx"), "BatchScreen"),
    across("/banks/inbound", () => import("./bank-inbound/inbound-screen.tsx"), "InboundScreen"),
    across(
      "/banks/inbound/$fileId",
      () => import("./bank-inbound/inbound-file-screen.tsx"),
      "InboundFileScreen",
    ),
    across("/banks/suspense", () => import("./suspense/suspense-screen.tsx"), "SuspenseScreen"),
    across(
      "/banks/suspense/$itemId",
      () => import("./suspense/suspense-item-screen.tsx"),
      "SuspenseItemScreen",
    ),
    across("/banks/calendar", () => import("./banks/calendar-screen.tsx"), "CalendarScreen"),
    across(
      "/reconcile",
      () => import("./statements/bank-reconcile-screen.tsx"),
      "BankReconcileScreen",
    ),
    across(
      "/reconcile/exceptions",
      () => import("./statements/list-screens.tsx"),
      "ExceptionsScreen",
    ),
    across(
      "/reconcile/statements",
      () => import("./statements/list-screens.tsx"),
      "StatementsScreen",
    ),
    across(
      "/reconcile/statements/$statementId",
      () => import("./statements/statement-screen.tsx"),
      "StatementScreen",
    ),
    across("/reconcile/closings", () => import("./statements/list-screens.tsx"), "ClosingsScreen"),
    across(
      "/reconcile/banks/$connectionId",
      () => import("./statements/connection-screen.tsx"),
      "ConnectionScreen",
    ),
    across("/reconcile/lines/$lineId", () => import("./statements/line-screen.tsx"), "LineScreen"),
    across("/reconcile/balances", () => import("./statements/money-lists.tsx"), "HoldersScreen"),
    across("/reconcile/company", () => import("./statements/money-lists.tsx"), "CompanyScreen"),
    across("/audit", () => import("./audit/audit-screen.tsx"), "AuditScreen"),
    across("/users", () => import("./users/users-screen.tsx"), "UsersScreen"),
    across("/tokens", () => import("./tokens/tokens-screen.tsx"), "TokensScreen"),
    across("/account", () => import("./account/account-screen.tsx"), "AccountScreen"),
    across("/command-line", () => import("./account/command-line-screen.tsx"), "CommandLineScreen"),
    subaccount.addChildren([
      overview,
      of("payouts", () => import("./payouts/payouts-screen.tsx"), "PayoutsScreen"),
      of("payouts/new", () => import("./payouts/new-payout-screen.tsx"), "NewPayoutScreen"),
      of("payouts/board", () => import("./payouts/board-screen.tsx"), "BoardScreen"),
      of("payouts/import", () => import("./payouts/import-screen.tsx"), "ImportScreen"),
      of("payouts/$payoutId", () => import("./payouts/payout-screen.tsx"), "PayoutScreen"),
      of("batches", () => import("./batches/batches-screen.tsx"), "BatchesScreen"),
      of(
        "batches/$batchId",
        () => import("./batches/payout-batch-screen.tsx"),
        "PayoutBatchScreen",
      ),
      of("receivers", () => import("./receivers/receivers-screen.tsx"), "ReceiversScreen"),
      of("receivers/new", () => import("./receivers/new-receiver-screen.tsx"), "NewReceiverScreen"),
      of(
        "receivers/import",
        () => import("./receivers/import-receivers-screen.tsx"),
        "ImportReceiversScreen",
      ),
      of(
        "accounts/import",
        () => import("./receivers/import-accounts-screen.tsx"),
        "ImportAccountsScreen",
      ),
      of(
        "receivers/$receiverId",
        () => import("./receivers/receiver-screen.tsx"),
        "ReceiverScreen",
      ),
      of("balances", () => import("./balances/balances-screen.tsx"), "BalancesScreen"),
      of("balances/$currency", () => import("./balances/balance-screen.tsx"), "BalanceScreen"),
      of("webhooks", () => import("./webhooks/webhooks-screen.tsx"), "WebhooksScreen"),
      of("webhooks/events/$eventId", () => import("./webhooks/event-screen.tsx"), "EventScreen"),
      of("requests", () => import("./requests/requests-screen.tsx"), "RequestsScreen"),
      of("requests/$requestId", () => import("./requests/request-screen.tsx"), "RequestScreen"),
      of("keys", () => import("./keys/keys-screen.tsx"), "KeysScreen"),
      of("reconcile", () => import("./reconcile/books-screen.tsx"), "BooksScreen"),
      of("settings", () => import("./settings/settings-screen.tsx"), "SettingsScreen"),
      of("quickstart", () => import("./quickstart/quickstart-screen.tsx"), "QuickstartScreen"),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: routes,
  basepath: "/console",
  defaultPreload: "intent",
  parseSearch,
  stringifySearch,
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: MissingPage,
  defaultPendingComponent: PageLoading,
  scrollRestoration: true,
});

/** A page for users who are not signed in. */
const isEntry = (pathname: string) => pathname === "/sign-in" || pathname === "/set-up";

/** Loads the data of the user and the code of the page in the address at the same time. */
export function preloadPage(): void {
  const { pathname } = router.latestLocation;
  if (!isEntry(pathname)) void queryClient.prefetchQuery(meQuery);
  // The server leaves it out of the document without a session.
  if (!document.querySelector("link[rel=modulepreload]")) return;
  const [matchedRoutes] = router.getMatchedRoutes(pathname);
  for (const { options } of pathname === "/" ? [overview] : matchedRoutes) {
    const { component } = options as { component?: { preload?: () => Promise<unknown> } };
    // Where it fails, the router tries again and shows what is wrong.
    void component?.preload?.().catch(() => undefined);
  }
}

onSessionEnd(() => {
  const { pathname, href } = router.state.location;
  if (isEntry(pathname)) return;
  // Only for a user who was signed in here a moment ago.
  const wasSignedIn = queryClient.getQueryData(meQuery.queryKey) !== undefined;
  const reason = wasSignedIn ? { reason: wasIdle() ? "idle" : "ended" } : {};
  queryClient.clear();
  void router.navigate({ to: "/sign-in", search: { next: href, ...reason }, ignoreBlocker: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
