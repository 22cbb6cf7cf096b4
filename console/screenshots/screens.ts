// Every screen that is photographed: its name, where it is, and what is done before the picture is taken.

import type { Page } from "playwright-core";
import type { Company } from "./company.ts";

type Shown = {
  name: string;
  path: (company: Company) => string | Promise<string>;
  prepare?: (page: Page) => Promise<void>;
};

const of = (rest: string) => (company: Company) => `/s/${company.subaccountId}/${rest}`;

export const screens: Shown[] = [
  { name: "overview", path: of("overview") },
  { name: "payouts", path: of("payouts") },
  {
    name: "payout",
    path: async (company) => of(`payouts/${await company.aPayout("failed")}`)(company),
  },
  { name: "new-payout", path: of("payouts/new") },
  { name: "import", path: of("payouts/import") },
  { name: "receivers", path: of("receivers") },
  {
    name: "receiver",
    path: async (company) => of(`receivers/${await company.aReceiver()}`)(company),
  },
  {
    name: "reviews",
    path: () => "/reviews",
    prepare: (page) => page.keyboard.press("j"),
  },
  {
    name: "rules",
    path: () => "/rules",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Backtest the last 90 days" }).click();
      await page.getByRole("button", { name: "Backtest again" }).waitFor();
    },
  },
  { name: "banks", path: () => "/banks" },
  { name: "bank-batch", path: async (company) => `/banks/batches/${await company.aBatch()}` },
  { name: "bank-inbound", path: () => "/banks/inbound" },
  { name: "suspense", path: () => "/banks/suspense" },
  { name: "approvals", path: () => "/approvals" },
  { name: "webhooks", path: of("webhooks") },
  {
    name: "event",
    path: async (company) => of(`webhooks/events/${await company.anEvent()}`)(company),
  },
  { name: "requests", path: of("requests") },
  { name: "request", path: async (company) => of(`requests/${await company.aRequest()}`)(company) },
  { name: "keys", path: of("keys") },
  { name: "reconcile", path: () => "/reconcile" },
  { name: "books", path: of("reconcile") },
  { name: "settings", path: of("settings") },
  { name: "quickstart", path: of("quickstart") },
  { name: "users", path: () => "/users" },
  { name: "audit", path: () => "/audit" },
  { name: "account", path: () => "/account" },
];
