// The texts of the set-up screen.

export const setUpTexts = {
  setUpYourAccount: "Set up your account",
  checkingLink: "Checking link",
  thisLinkDoesntWork: "This link doesn't work",
  openTheCompleteLinkIncludingEverything:
    "Open the complete link, including everything after the # sign.",
  signIn: "Sign in",
  yourRole: (role: string) => `Your role: ${role}.`,
  name: "Name",
  email: "Email",
  password: "Password",
  atLeast12CharactersTipUse: "At least 12 characters. Tip: use a few random words.",
  createAccount: "Create account",
  alreadyHaveAnAccount: "Already have an account? {link}",
} as const;
