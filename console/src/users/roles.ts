// The names and descriptions of the roles.

import type { Role } from "@server/users/user.ts";
import { usersTexts } from "../texts/users.ts";

const roles: Record<Role, { name: string; hint: string }> = {
  admin: { name: usersTexts.admin, hint: usersTexts.fullAccessIncludingUsers },
  operator: { name: usersTexts.operator, hint: usersTexts.managesPayoutsReviewsKeysAndWebhooks },
  approver: { name: usersTexts.approver, hint: usersTexts.readsEverythingApprovesPayoutsAndBank },
  finance: { name: usersTexts.finance, hint: usersTexts.readsAndExportsEverythingClosesMonths },
  developer: {
    name: usersTexts.developer,
    hint: usersTexts.accessToChosenSubaccountsDataTest,
  },
  auditor: { name: usersTexts.auditor, hint: usersTexts.readsEverythingChangesNothing },
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
