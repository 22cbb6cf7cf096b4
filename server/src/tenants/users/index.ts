// What other nouns use of users. The rest of this folder is private to it.

export { attemptSucceeded, requireFewAttempts } from "./attempts.ts";
export type { Auth } from "./auth.ts";
export { addressHeader, authPath } from "./auth-path.ts";
export { changeUser } from "./change.ts";
export { changePassword } from "./change-password.ts";
export {
  askLogin,
  confirmLogin,
  declineLogin,
  findLoginSession,
  lookAtLogin,
  redeemLogin,
} from "./command-login.ts";
export { confirmUser } from "./confirm.ts";
export { endAllSessions, endSession, endSessionsOf } from "./end-session.ts";
export { allowFinance, expireFinanceRequest } from "./finance-approval.ts";
export { acceptInvitation, linkOf, newSetUpTokens, readInvitation } from "./invitation.ts";
export { inviteUser } from "./invite.ts";
export { type LogIn, type LogInParts, logIn } from "./login.ts";
export { freshProofMs, withOidcProof } from "./oidc-proof.ts";
export { challengePath } from "./passkey-challenge.ts";
export { addPasskey, deletePasskey } from "./passkeys.ts";
export { resetUser } from "./reset.ts";
export { Password, RoleName, UserName, ViewKey } from "./schema.ts";
export { forgotten, sessionCookieNames } from "./session-cookie.ts";
export { settingUpByPasskey } from "./set-up-passkey.ts";
export { oidcProviderId, type SignInMethod, userSignedIn } from "./sign-in.ts";
export { stepUpBy, stepUpByPassword } from "./step-up.ts";
export { discardView, keepView } from "./views.ts";
