// The console's navigation by role, and what its search finds first for the words that people type.

import { expect, test } from "vitest";
import { foundPages } from "../../../../console/src/shell/found-pages.ts";
import { navGroups, organisationPages } from "../../../../console/src/shell/nav-items.ts";
import { isOfCompany, isSeen, pageAt, pageTitle } from "../../../../console/src/shell/pages.ts";
import { searchedPages } from "../../../../console/src/shell/search-items.ts";
import {
  may,
  type Permission,
  permissions,
  type Role,
  roles,
} from "../../../src/tenants/roles/user.ts";

const sandbox = { id: "a", mode: "test", is_closed: false };
const meOf = (role: Role) => ({
  permissions: (Object.keys(permissions) as Permission[]).filter((one) => may({ role }, one)),
});

const seenBy = (role: Role) =>
  Object.fromEntries(
    [...navGroups, { label: "Organisation", pages: organisationPages }].map(({ label, pages }) => [
      label,
      pages.filter((page) => isSeen(page, meOf(role), sandbox)).map((page) => page.label),
    ]),
  );

test("an admin sees five groups and the organisation's menu", () => {
  expect(seenBy("admin")).toMatchObject({
    Pay: ["Payouts", "Batches", "Imports", "Receivers"],
    Money: ["Balances", "Books"],
    Control: expect.arrayContaining(["Approvals", "Review queue", "Rules"]),
    Banks: ["Files", "Statements", "Exceptions", "Suspense", "Months", "Calendar"],
    Developers: ["Webhooks", "Requests", "Keys", "Docs"],
    Organisation: ["Settings", "Users", "Operator tokens", "Audit log", "Quickstart"],
  });
});

test.each([
  ["operator", { Organisation: ["Settings", "Audit log", "Quickstart"] }],
  ["approver", { Pay: ["Payouts", "Batches", "Receivers"], Control: ["Approvals", "Rules"] }],
  ["finance", { Control: ["Approvals", "Rules"], Money: ["Balances", "Books"] }],
  ["developer", { Control: [], Banks: [], Organisation: ["Settings", "Quickstart"] }],
  [
    "auditor",
    { Organisation: ["Settings", "Users", "Operator tokens", "Audit log", "Quickstart"] },
  ],
] as const)("%s sees what the role may open", (role, seen) => {
  expect(seenBy(role)).toMatchObject(seen);
});

test("pages of the company are told from pages of a subaccount", () => {
  for (const { label, pages } of navGroups)
    expect(pages.filter(isOfCompany).length, label).toBe(
      ["Control", "Banks"].includes(label) ? pages.length : 0,
    );
  const own = searchedPages.find(({ label }) => label === "Your account");
  expect(own && isOfCompany(own)).toBe(false);
});

test("every role may open only what it sees, and nothing of a subaccount without one", () => {
  for (const role of roles) {
    const me = meOf(role);
    expect(searchedPages.filter((page) => isSeen(page, me, sandbox)).length).toBeGreaterThan(10);
    for (const page of searchedPages.filter((page) => isSeen(page, me, undefined)))
      expect(page.to).toMatch(/^\//);
  }
  const closed = { ...sandbox, is_closed: true };
  const labels = (subaccount: typeof sandbox) =>
    searchedPages.filter((page) => isSeen(page, meOf("admin"), subaccount)).map(pageTitle);
  expect(labels(closed)).not.toContain("New payout");
  expect(labels({ ...sandbox, mode: "live" })).not.toContain("Add test funds");
});

// What a person types, and what Enter opens.
test.each([
  ["fund", "Add test funds"],
  ["how to fund", "How to fund"],
  ["top up", "Add test funds"],
  ["statement", "Bank statements"],
  ["statements", "Bank statements"],
  ["camt", "Bank statements"],
  ["freeze", "Freeze a bank file"],
  ["stop tonight's file", "Bank files"],
  ["limits", "Limits and approvals"],
  ["limit", "Limits and approvals"],
  ["threshold", "Limits and approvals"],
  ["close month", "Close a month"],
  ["closed months", "Months"],
  ["close october", undefined],
  ["month end", "Months"],
  ["pay", "Payouts"],
  ["new payout", "New payout"],
  ["send money", "New payout"],
  ["excel", "Import payouts"],
  ["csv", "Import payouts"],
  ["import receivers", "Import receivers"],
  ["payee", "Receivers"],
  ["invite", "Invite user"],
  ["add user", "Invite user"],
  ["team", "Users"],
  ["password", "Your account"],
  ["passkey", "Your account"],
  ["command line", "Sign in the command line"],
  ["terminal", "Sign in the command line"],
  ["login", "Sign in the command line"],
  ["login code", "Sign in the command line"],
  ["CLI", "Sign in the command line"],
  ["approve", "Approvals"],
  ["kyc", "Review queue"],
  ["fraud", "Rules"],
  ["holidays", "Calendar"],
  ["reconcile", "Reconcile"],
  ["money", "Balances"],
  ["suspense", "Suspense"],
  ["unmatched", "Exceptions"],
  ["returns", "Files from banks"],
  ["files from banks", "Files from banks"],
  ["webhook", "Webhooks"],
  ["webh", "Webhooks"],
  ["endpoint", "Webhooks"],
  ["api key", "API keys"],
  ["create key", "Create API key"],
  ["token", "Operator tokens"],
  ["automation", "Operator tokens"],
  ["ci", "Operator tokens"],
  ["new token", "New operator token"],
  ["logs", "Audit log"],
  ["api errors", "Errors of API requests"],
  ["who changed", undefined],
  ["history", "Audit log"],
  ["ip", "Access and IP addresses"],
  ["failed", "Failed payouts"],
  ["returned", "Failed payouts"],
  ["ledger", "Books"],
  ["documentation", "Documentation"],
  ["first steps", "Quickstart"],
  ["dashboard", "Overview"],
  ["xyzzy", undefined],
])("an admin who types %j finds %j first", (text, title) => {
  const [first] = foundPages(meOf("admin"), sandbox, text);
  expect(first && pageTitle(first)).toBe(title);
});

test("before anything is typed, the search lists the pages in the order of the navigation", () => {
  const titles = foundPages(meOf("admin"), sandbox, "").map(pageTitle);
  expect(titles.slice(0, 4)).toEqual([
    "Overview",
    "Payouts",
    "Imports and batches",
    "Import payouts",
  ]);
});

test("a search offers nothing that the role may not open", () => {
  const titles = foundPages(meOf("auditor"), sandbox, "new").map(pageTitle);
  expect(titles).toEqual([]);
  expect(foundPages(meOf("developer"), sandbox, "approve")).toEqual([]);
});

test.each([
  ["/s/01890a5d/payouts", "Payouts"],
  ["/s/01890a5d/payouts/01890a5e", "Payouts"],
  ["/s/01890a5d/payouts/import", "Import payouts"],
  ["/s/01890a5d/reconcile", "Books"],
  ["/banks", "Bank files"],
  ["/banks/batches/01890a5d", "Bank files"],
  ["/banks/suspense/01890a5d", "Suspense"],
  ["/reconcile/lines/01890a5d", "Reconcile"],
  ["/reconcile/statements/01890a5d", "Bank statements"],
  ["/reconcile/closings", "Months"],
  ["/account", "Your account"],
  ["/nowhere", undefined],
])("%s belongs to %s", (path, title) => {
  const page = pageAt(path, searchedPages);
  expect(page && pageTitle(page)).toBe(title);
});
