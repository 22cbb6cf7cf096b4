// Shared texts of the screens below account/.

export const accountTexts = {
  name: "Name",
  addPasskey: "Add passkey",
  changePassword: "Change password",
} as const;
