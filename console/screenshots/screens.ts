// Every screen: its name, its route, and what is done before it is looked at. `npm run screenshots` takes a picture of
// each, and a test checks that each is accessible and that no route is missing.

import type { Page } from "playwright-core";
import type { Company } from "./company.ts";

type Shown = {
  name: string;
  /** As the router has it. */
  route: string;
  /** Of the object that the route names last. */
  id?: (company: Company) => Promise<string>;
  query?: (company: Company) => Promise<string>;
  prepare?: (page: Page) => Promise<void>;
};

export async function pathOf(company: Company, { route, id, query }: Shown): Promise<string> {
  const path = route.replace("$subaccountId", company.subaccountId);
  return path.replace(/\$\w+/, (await id?.(company)) ?? "") + ((await query?.(company)) ?? "");
}

const caseOf = (kind: "hit" | "hold", { subaccountId }: Company, id: string) =>
  `?case=${kind}.${subaccountId}.${id}`;

async function runBacktest(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Backtest the last 90 days" }).click();
  await page.getByRole("button", { name: "Backtest again" }).waitFor();
}

export const screens: readonly Shown[] = [
  { name: "overview", route: "/s/$subaccountId/overview" },
  { name: "payouts", route: "/s/$subaccountId/payouts" },
  { name: "payouts-board", route: "/s/$subaccountId/payouts/board" },
  {
    name: "payout",
    route: "/s/$subaccountId/payouts/$payoutId",
    id: (company) => company.aPayout("failed"),
  },
  {
    name: "payout-on-hold",
    route: "/s/$subaccountId/payouts/$payoutId",
    id: (company) => company.aHold(),
  },
  { name: "new-payout", route: "/s/$subaccountId/payouts/new" },
  { name: "import", route: "/s/$subaccountId/payouts/import" },
  { name: "batches", route: "/s/$subaccountId/batches" },
  {
    name: "payout-batch",
    route: "/s/$subaccountId/batches/$batchId",
    id: (company) => company.aPayoutBatch(),
  },
  { name: "receivers", route: "/s/$subaccountId/receivers" },
  { name: "new-receiver", route: "/s/$subaccountId/receivers/new" },
  { name: "import-receivers", route: "/s/$subaccountId/receivers/import" },
  { name: "import-accounts", route: "/s/$subaccountId/accounts/import" },
  {
    name: "receiver",
    route: "/s/$subaccountId/receivers/$receiverId",
    id: (company) => company.aReceiver(),
  },
  {
    name: "person-link",
    route: "/s/$subaccountId/receivers/$receiverId",
    id: (company) => company.aPendingReceiver(),
    prepare: async (page) => {
      await page.getByRole("button", { name: "Copy link for the person…" }).click();
      await page.getByRole("button", { name: "Copy link", exact: true }).waitFor();
    },
  },
  {
    name: "receiver-account",
    route: "/s/$subaccountId/receivers/$receiverId",
    id: (company) => company.newestOf("receiver", "last_name = 'Velasko'"),
    prepare: async (page) => {
      await page.getByRole("tab", { name: /^Bank accounts/ }).click();
      await page.getByText("Name does not match").waitFor();
    },
  },
  { name: "subaccount-balances", route: "/s/$subaccountId/balances" },
  { name: "balance", route: "/s/$subaccountId/balances/$currency", id: async () => "AUD" },
  { name: "reviews", route: "/reviews", prepare: (page) => page.keyboard.press("j") },
  {
    name: "review-hit",
    route: "/reviews",
    query: async (company) => caseOf("hit", company, await company.aHit()),
  },
  {
    name: "review-hold",
    route: "/reviews",
    query: async (company) => caseOf("hold", company, await company.aHold()),
  },
  { name: "screening", route: "/screening" },
  {
    name: "screening-version",
    route: "/screening/versions/$versionId",
    id: (company) => company.newestOf("screening_list_version", "list = 'un'"),
  },
  { name: "rules", route: "/rules", prepare: runBacktest },
  { name: "rules-change", route: "/rules/change" },
  { name: "banks", route: "/banks" },
  {
    name: "bank-batch",
    route: "/banks/batches/$batchId",
    id: (company) => company.newestOf("bank_batch", "status = 'frozen'"),
  },
  { name: "bank-inbound", route: "/banks/inbound" },
  {
    name: "bank-inbound-file",
    route: "/banks/inbound/$fileId",
    id: (company) => company.newestOf("bank_inbound_file", "name like '%.aba'"),
  },
  { name: "suspense", route: "/banks/suspense" },
  {
    name: "suspense-item",
    route: "/banks/suspense/$itemId",
    id: (company) => company.newestOf("bank_suspense_item"),
  },
  { name: "bank-calendar", route: "/banks/calendar" },
  { name: "approvals", route: "/approvals" },
  { name: "webhooks", route: "/s/$subaccountId/webhooks" },
  {
    name: "webhook-charts",
    route: "/s/$subaccountId/webhooks",
    query: async () => "?tab=charts&days=30",
  },
  {
    name: "event",
    route: "/s/$subaccountId/webhooks/events/$eventId",
    id: (company) => company.anEvent(),
  },
  { name: "requests", route: "/s/$subaccountId/requests" },
  {
    name: "request",
    route: "/s/$subaccountId/requests/$requestId",
    id: (company) => company.aRequest(),
  },
  { name: "keys", route: "/s/$subaccountId/keys" },
  { name: "reconcile", route: "/reconcile" },
  {
    name: "bank-account",
    route: "/reconcile/banks/$connectionId",
    id: (company) => company.newestOf("bank_connection"),
  },
  { name: "exceptions", route: "/reconcile/exceptions" },
  { name: "statements", route: "/reconcile/statements" },
  {
    name: "statement",
    route: "/reconcile/statements/$statementId",
    id: (company) => company.newestOf("bank_statement"),
  },
  {
    name: "statement-line",
    route: "/reconcile/lines/$lineId",
    id: (company) => company.newestOf("bank_statement_line"),
  },
  { name: "closings", route: "/reconcile/closings" },
  {
    name: "balances",
    route: "/reconcile/balances",
    query: async () => "?mode=live&currency=AUD",
  },
  {
    name: "company-money",
    route: "/reconcile/company",
    query: async () => "?mode=live&currency=AUD",
  },
  { name: "books", route: "/s/$subaccountId/reconcile" },
  { name: "settings", route: "/s/$subaccountId/settings" },
  { name: "quickstart", route: "/s/$subaccountId/quickstart" },
  { name: "users", route: "/users" },
  { name: "tokens", route: "/tokens" },
  { name: "audit", route: "/audit" },
  { name: "account", route: "/account" },
  { name: "command-line", route: "/command-line" },
];
