// The names and descriptions of the roles.

import type { Role } from "@server/tenants/roles/user.ts";
import { usersTexts } from "../texts/users.ts";

const roles: Record<Role, { name: string; hint: string }> = {
  admin: { name: usersTexts.admin, hint: "Full access, including users" },
  operator: { name: usersTexts.operator, hint: "Manages payouts, reviews, keys and webhooks" },
  approver: {
    name: usersTexts.approver,
    hint: "Reads everything, approves payouts and bank details",
  },
  finance: { name: usersTexts.finance, hint: "Reads and exports everything, closes months" },
  developer: {
    name: "Developer",
    hint: "Access to chosen subaccounts: data, test keys and webhooks",
  },
  auditor: { name: "Auditor", hint: "Reads everything, changes nothing" },
  compliance: {
    name: "Compliance",
    hint: "Decides identity checks and hits, keeps the sanctions lists; no payouts",
  },
};

export const roleChoices = (Object.keys(roles) as Role[]).map((value) => ({
  value,
  label: roles[value].name,
}));

export function roleName(role: Role): string {
  return roles[role].name;
}

export function roleHint(role: Role): string {
  return roles[role].hint;
}
