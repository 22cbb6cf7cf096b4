// The roles, in words.

import type { Role } from "@server/users/user.ts";

const roles: Record<Role, { name: string; hint: string }> = {
  admin: { name: "Admin", hint: "Everything, and the people" },
  operator: { name: "Operator", hint: "Runs payouts, reviews, keys and webhooks" },
  approver: { name: "Approver", hint: "Reads everything, approves payouts and bank details" },
  finance: { name: "Finance", hint: "Reads and exports everything, closes months" },
  developer: { name: "Developer", hint: "Some subaccounts: their data, test keys and webhooks" },
  auditor: { name: "Auditor", hint: "Reads everything, changes nothing" },
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
