// The table of roles and permissions, and its copy in the documentation.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Permission, permissions, type Role, roles } from "../../../src/tenants/roles/user.ts";

test("an auditor reads everything and changes nothing; an approver approves and creates nothing", () => {
  const allowed = (role: Role) =>
    (Object.keys(permissions) as Permission[]).filter((one) =>
      (permissions[one] as readonly Role[]).includes(role),
    );
  const reads = [
    "read",
    "export",
    "approvals.read",
    "reviews.read",
    "accounts.reveal",
    "banks.read",
    "rules.read",
  ];
  expect(allowed("auditor").sort()).toEqual([...reads, "audit.read", "users.read"].sort());
  const approves = allowed("approver").filter((one) => !reads.includes(one));
  expect(approves.sort()).toEqual([
    "accounts.approve",
    "audit.read",
    "banks.approve",
    "payouts.approve",
    "rules.approve",
  ]);
  const earlier = ["admin", "operator", "approver", "finance", "developer", "auditor"];
  expect(roles).toEqual([...earlier, "compliance"]);
});

test("compliance reads, reviews and keeps the lists, and has no permission for payouts", () => {
  const allowed = Object.entries(permissions).filter(([, may]) =>
    (may as readonly Role[]).includes("compliance"),
  );
  expect(allowed.map(([name]) => name).sort()).toEqual([
    ...["approvals.read", "audit.read", "export", "read", "receivers.review", "reviews.read"],
    "rules.read",
  ]);
});

test("the table of roles and permissions in docs/console/admins.md matches the code", () => {
  const text = readFileSync(
    join(import.meta.dirname, "..", "..", "..", "..", "docs", "console", "admins.md"),
    "utf8",
  );
  const rows = Object.entries(permissions).map(([name, may]) => {
    const cells = roles.map((role) => ((may as readonly Role[]).includes(role) ? "yes" : ""));
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
  expect(text).toContain(`| permission | ${roles.join(" | ")} |`);
  expect(
    text
      .split("\n")
      .filter(
        (line) => /^\| `[a-z.]+` \|/.test(line) && line.split("|").length === roles.length + 3,
      ),
  ).toEqual(rows);
});
