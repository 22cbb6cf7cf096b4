// What other nouns use of user-records. The rest of this folder is private to it.

export {
  listUnconfirmedUsers,
  lockUnconfirmedGrants,
  recordAccessGrant,
  recordSetUpConfirmed,
  renewAccessGrant,
  updateGrantsConfirmed,
} from "./access-grant-queries.ts";
export { countAttempt, deleteExpiredLogIns, forgiveAttempt } from "./attempt-queries.ts";
export {
  findFinanceApproval,
  lockFinanceApproval,
  updateFinanceApproval,
} from "./finance-queries.ts";
export {
  deleteInvitationOf,
  findInvitation,
  hasOpenInvitation,
  lockSetUpInvitations,
  replaceInvitation,
  replaceSetUpInvitations,
  updateSetUpFollows,
  useInvitation,
} from "./invitation-queries.ts";
export {
  deleteLoginRequest,
  insertLoginRequest,
  insertLoginSession,
  type LoginRequest,
  lockLoginRequest,
  lockLoginRequestOfDevice,
  updateLoginRequest,
} from "./login-request-queries.ts";
export { redeemChallenge } from "./passkey-challenge-queries.ts";
export {
  deleteCredentials,
  type FirstAdmin,
  findAdmin,
  findPasswordHash,
  findUserByEmail,
  hasAnAdmin,
  hasOidcCredential,
  insertUser,
  isNameOfUser,
  isUserDisabled,
  listPasskeys,
  listUsers,
  lockAdmins,
  lockUser,
  type UserRow,
  type UserState,
  updateUser,
  updateUserName,
  updateUserSignedIn,
  upsertPassword,
} from "./queries.ts";
export {
  deleteAllSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  findLiveSessions,
  findSessionByToken,
  listSessions,
  type SessionLine,
  updateSessionProven,
} from "./session-queries.ts";
export { deleteView, listViews, saveView } from "./view-queries.ts";
