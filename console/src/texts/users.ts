// Shared texts of the screens below users/.

export const usersTexts = {
  cancel: "Cancel",
  inviteUser: "Invite user",
  role: "Role",
  subaccounts: "Subaccounts",
  admin: "Admin",
  operator: "Operator",
  approver: "Approver",
  finance: "Finance",
  users: "Users",
  all: "All subaccounts",
} as const;
