// The texts of the sign-in screen.

export const loginTexts = {
  yourCompanysSignInDoesNot:
    "Your company's sign-in does not respond. Try again, or use your password.",
  companyNotInvited:
    "Your company's sign-in did not let you in. Ask an admin whether you were invited with the email that you use there.",
  companyNotConfirmed:
    "Your company's sign-in did not ask you to confirm your identity. Sign in there with your password or passkey, and come back within a minute.",
  signInWithAPasskey: "Sign in with a passkey",
  continueWith: (name: string) => `Continue with ${name}`,
  signInToDisburse: "Sign in to Disburse",
  yourSessionHasEndedSignIn:
    "Your session has ended. Sign in to continue where you were. A session lasts 12 hours, and ends when it is ended from another browser or by an admin.",
  yourSessionHasEndedIdle:
    "Your session has ended after 30 minutes without activity. Sign in to continue where you were.",
  companyRefused: "Your company's sign-in did not let you in.",
  email: "Email",
  password: "Password",
  signIn: "Sign in",
  or: "or",
} as const;
