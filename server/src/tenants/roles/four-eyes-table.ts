// What counts as moving money, and who has to agree. SECURITY.md shows this table, and a test compares it with the
// files that write the tables of money: a new write needs its row here.

import { type Permission, permissions } from "./user.ts";

export const moneyKinds = {
  payout: "A payout",
  destination: "Where money goes",
  balance: "A balance is made, moved or returned",
  file: "A file that says that money came or went",
  access: "Who may do any of these",
} as const;

export type MoneyAct = {
  kind: keyof typeof moneyKinds;
  act: string;
  /** The actors who made it. None of them can be the second user. */
  makers: string;
  /** Up to where one actor is enough. */
  alone: string;
  /** The permission of the second user. Undefined: there is none, and `alone` says what bounds it instead. */
  second?: Permission;
  /** The file of server/src that refuses one of the makers as the second user. */
  checkedIn?: string;
  /** The files of server/src that write it. */
  writtenIn: readonly string[];
};

const creator = "its creator; for a key, every user who has seen a secret of it";

export const moneyActs: readonly MoneyAct[] = [
  {
    kind: "payout",
    act: "Create a payout: alone, in a batch, from a file, as a retry",
    makers: `${creator}; the users who added or changed the account since it was last paid`,
    alone:
      "the thresholds per payout, payout batch, receiver and day, destination account and day; the rules",
    second: "payouts.approve",
    checkedIn: "money/payouts/approve.ts",
    writtenIn: [
      "money/payouts/create.ts",
      "money/payouts/create-batch.ts",
      "money/payouts/insert-decided.ts",
      "money/payouts/approve.ts",
    ],
  },
  {
    kind: "payout",
    act: "Release a payout that is on hold",
    makers: `${creator}; the users who added or changed the account since it was last paid`,
    alone: "nothing",
    second: "payouts.approve",
    checkedIn: "money/payouts/hold.ts",
    writtenIn: ["money/payouts/hold.ts"],
  },
  {
    kind: "payout",
    act: "Cancel a payout that was not sent",
    makers: creator,
    alone: "everything: the money stays with the subaccount",
    writtenIn: ["money/payouts/cancel.ts"],
  },
  {
    kind: "payout",
    act: "Approve a bank file",
    makers: "the user who froze it, and those who approved it before",
    alone:
      "one user, where the connection asks for one; its payouts were approved by their own rule",
    second: "banks.approve",
    checkedIn: "banking/files/release.ts",
    writtenIn: ["banking/files/freeze.ts", "banking/files/release.ts", "banking/files/send.ts"],
  },
  {
    kind: "payout",
    act: "Discard a bank file that may have left",
    makers: "the user who asked for it",
    alone: "nothing",
    second: "banks.release",
    checkedIn: "banking/files/release.ts",
    writtenIn: ["banking/files/release.ts"],
  },
  {
    kind: "payout",
    act: "End a sent payout by hand",
    makers: "the user who proposed the outcome",
    alone: "nothing",
    second: "payouts.resolve",
    checkedIn: "money/payouts/resolve.ts",
    writtenIn: ["money/payouts/resolve.ts"],
  },
  {
    kind: "destination",
    act: "Add or change an account of a receiver, at the console or by a notification of the bank",
    makers: "the user who proposed it, or brought or confirmed the bank's file",
    alone: "nothing",
    second: "accounts.approve",
    checkedIn: "people/accounts/decide-change.ts",
    writtenIn: [
      "people/accounts/acts.ts",
      "people/accounts/propose-change.ts",
      "people/accounts/decide-change.ts",
    ],
  },
  {
    kind: "destination",
    act: "Add, change or delete an account of a receiver with a key",
    makers: "the key, and every user who has seen a secret of it",
    alone:
      "everything, as published; first payouts to changed accounts wait, and those to accounts that a user could have added",
    writtenIn: [
      "doors/api/accounts/routes.ts",
      "people/accounts/create.ts",
      "people/accounts/change.ts",
      "people/accounts/delete.ts",
    ],
  },
  {
    kind: "destination",
    act: "Approve the identity of a receiver that resembles another, or whose check has failed before",
    makers: "the user who approved it first",
    alone: "nothing; receivers without these risks take one user",
    second: "receivers.review",
    checkedIn: "people/reviews/decide-identity.ts",
    writtenIn: ["people/reviews/decide-identity.ts"],
  },
  {
    kind: "destination",
    act: "Add, change or enable a bank connection",
    makers: "the admin who asked for it",
    alone: "only disabling",
    second: "banks.write",
    checkedIn: "banking/connections/request.ts",
    writtenIn: ["banking/connections/request.ts", "banking/connections/save-connection.ts"],
  },
  {
    kind: "destination",
    act: "Say what the columns of a bank's CSV statements mean",
    makers: "the admin who saved it",
    alone: "nothing",
    second: "banks.write",
    checkedIn: "banking/requests/request.ts",
    writtenIn: [
      "banking/connections/csv-mapping.ts",
      "banking/requests/request.ts",
      "banking/connections/csv-mapping-decision.ts",
      "banking/inbound-files/confirm.ts",
    ],
  },
  {
    kind: "balance",
    act: "Decide about money in suspense, or undo such a decision: match, fund, give to the company, return",
    makers: "the user who asked for it",
    alone: "what all users decide alone on a day, up to the threshold of a payout",
    second: "banks.release",
    checkedIn: "banking/requests/request.ts",
    writtenIn: [
      "banking/answers/suspense-decision.ts",
      "banking/answers/suspense.ts",
      "banking/answers/suspend.ts",
      "banking/statements/suspend-line.ts",
      "banking/answers/company.ts",
    ],
  },
  {
    kind: "balance",
    act: "Match a line of a statement, give it to the company, or undo that",
    makers: "the user who asked for it",
    alone: "what all users decide alone on a day, up to the threshold of a payout",
    second: "banks.release",
    checkedIn: "banking/requests/request.ts",
    writtenIn: ["banking/statements/line-decision.ts", "banking/statements/decide.ts"],
  },
  {
    kind: "balance",
    act: "Take the balance before the first statement into the books, as the company's money",
    makers: "the user who asked for it",
    alone: "what all users decide alone on a day, up to the threshold of a payout",
    second: "banks.release",
    checkedIn: "banking/requests/request.ts",
    writtenIn: ["banking/statements/close-month.ts"],
  },
  {
    kind: "file",
    act: "Apply a file from a bank that a user uploads",
    makers: "the user who uploaded it",
    alone:
      "nothing. Only a file that the service fetched itself, from a server with a pinned host key, needs no user. Where the connection has a PGP key, the bank has to have signed it",
    second: "banks.release",
    checkedIn: "banking/requests/request.ts",
    writtenIn: [
      "banking/inbound-files/upload.ts",
      "banking/inbound-files/inbound-folder.ts",
      "banking/inbound-files/inbound.ts",
      "banking/answers/inbound-page.ts",
      "banking/answers/inbound-batch.ts",
      "banking/answers/inbound-transfers.ts",
      "banking/statements/statement-file.ts",
      "banking/statements/apply.ts",
      "banking/statements/fund-lines.ts",
    ],
  },
  {
    kind: "access",
    act: "Create a live key that may pay, write or change bank details, or rotate its secret",
    makers: "the user who asked for it",
    alone: "nothing. In test mode only keys that may pay wait, where a threshold is set",
    second: "keys.approve",
    checkedIn: "money/payouts/change-requests.ts",
    writtenIn: [
      "tenants/api-keys/acts.ts",
      "tenants/api-keys/activation.ts",
      "webhooks/webhook-endpoints/acts.ts",
      "tenants/api-keys/create.ts",
      "tenants/api-keys/rotate.ts",
      "tenants/api-keys/secret.ts",
      "money/payouts/change-requests.ts",
    ],
  },
  {
    kind: "access",
    act: "Make an operator token that may do more than read in live mode",
    makers: "the admin who made it",
    alone: "tokens that only read, and those for test subaccounts. No token approves",
    second: "users.write",
    checkedIn: "tenants/operator-tokens/acts.ts",
    writtenIn: ["tenants/operator-tokens/acts.ts"],
  },
  {
    kind: "access",
    act: "Loosen a limit or a threshold",
    makers: "the admin who asked for it",
    alone: "only stricter ones",
    second: "limits.write",
    checkedIn: "money/payouts/change-requests.ts",
    writtenIn: ["money/payouts/limits.ts", "money/payouts/change-requests.ts"],
  },
  {
    kind: "access",
    act: "Change the rules about payouts",
    makers: "the user who proposed them",
    alone: "nothing",
    second: "rules.approve",
    checkedIn: "money/rules/change.ts",
    writtenIn: ["money/rules/change.ts"],
  },
  {
    kind: "access",
    act: "Let users of finance approve",
    makers: "the admin who asked for it",
    alone: "nothing",
    second: "users.write",
    checkedIn: "tenants/users/finance-approval.ts",
    writtenIn: ["tenants/users/finance-approval.ts"],
  },
  {
    kind: "access",
    act: "Invite a user, reset one, or give one another role",
    makers: "the admin who did it",
    alone:
      "everything, but the two count as one user until another admin has confirmed it, after the link was used",
    second: "users.write",
    checkedIn: "tenants/users/confirm.ts",
    writtenIn: [
      "tenants/users/invite.ts",
      "tenants/users/reset.ts",
      "tenants/users/change.ts",
      "tenants/users/invitation.ts",
      "doors/console/login/passkeys.ts",
      "doors/console/login/routes.ts",
      "tenants/users/confirm.ts",
    ],
  },
];

/** Files that write for others, without a decision of their own: the files that use them need a row, too. */
export const moneyWriters: ReadonlySet<string> = new Set([
  "people/accounts/change.ts",
  "people/accounts/create.ts",
  "people/accounts/delete.ts",
  "tenants/api-keys/create.ts",
  "tenants/api-keys/rotate.ts",
  "tenants/api-keys/secret.ts",
  "banking/connections/csv-mapping.ts",
  "banking/answers/inbound-batch.ts",
  "banking/answers/inbound-page.ts",
  "banking/answers/inbound-transfers.ts",
  "banking/inbound-files/inbound.ts",
  "banking/connections/save-connection.ts",
  "banking/statements/apply.ts",
  "banking/answers/company.ts",
  "banking/statements/decide.ts",
  "banking/statements/fund-lines.ts",
  "banking/statements/statement-file.ts",
  "banking/statements/suspend-line.ts",
  "banking/answers/suspend.ts",
  "banking/answers/suspense.ts",
  "people/kyc/decide.ts",
  "money/ledger/fund.ts",
  "money/ledger/reverse.ts",
  "money/payouts/insert-decided.ts",
  "tenants/subaccounts/create.ts",
  "tenants/users/invitation.ts",
]);

/**
 * Files that write these tables and move no money, or only what others have decided, or that no user can reach. Each with
 * its reason. A name that ends with a slash is a folder.
 */
export const otherMoneyWrites: Readonly<Record<string, string>> = {
  "tenants/api-keys/cache.ts": "when a secret was used last",
  "tenants/api-keys/revoke.ts": "a key ends",
  "doors/process/example-data.ts": "the example data of a first start: test mode only",
  "doors/restore/move-out.ts": "a command: payouts of the database stop while it moves",
  "doors/restore/release.ts":
    "a command: the copy of a database stays stopped until it is released",
  "doors/restore/restore.ts": "a command: what was restored stays stopped until it is released",
  "doors/app/samples/record.ts":
    "records the samples of the documentation, in a database of its own",
  "doors/app/start-parts.ts": "invitations that have expired are deleted",
  "doors/process/start-up.ts": "the link that sets up the first admin, while there is no user",
  "banking/connections/acts.ts":
    "the command line, which is outside of the rule, and disabling: it only stops new payouts",
  "banking/connections/funding.ts":
    "a deposit reference is made, once for each subaccount and currency",
  "banking/requests/acts.ts":
    "what waits for a second user is declined or expires, so it never happens",
  "banking/worker/worker.ts": "sent payouts that no return has reached count as paid",
  "doors/cli/": "the command line: someone with a shell is outside of the rule",
  "money/ledger/acts.ts":
    "the command line, which is outside of the rule, and test funds in test mode",
  "people/privacy/acts.ts": "an erasure waits for a second user; it moves no money",
  "doors/api/kyc/routes.ts": "the identity check's provider reports, signed",
  "people/kyc/worker.ts": "asks the provider, and records its answer",
  "doors/moves/switch.ts": "a subaccount moves to another cell by commands",
  "money/payouts/simulate.ts": "test mode only",
  "money/payouts/worker.ts": "sends what was approved, and records what the bank says",
  "people/privacy/erase.ts": "overwrites words about a receiver",
  "people/privacy/journal.ts": "a restored database forgets again whom it had forgotten",
  "people/receivers/change.ts":
    "the details of a receiver: a changed identity is checked and screened again",
  "people/receivers/create.ts": "a new receiver can't be paid before its identity check",
  "money/hits/decide-hit.ts": "a receiver stops; clearing a hit takes a user who did not make it",
  "doors/rotation/encrypted-columns.ts": "values are encrypted again under another key",
  "tenants/subaccounts/close.ts": "the keys of a subaccount end",
  "doors/api/test-helpers/routes.ts": "test mode only",
  "doors/test-helpers/": "test mode only",
  "tenants/users/change-password.ts": "users change their own password",
  "tenants/users/sign-in.ts": "a sign-in is recorded",
  "tenants/operator-tokens/find.ts": "when a token was used last",
  "tenants/operator-tokens/expire.ts": "what waits for a second admin expires, so it never works",
};

/** Users with these roles may be the second one. */
function rolesOf(permission: Permission): string {
  return permissions[permission].join(", ");
}

export function fourEyesTable(): string {
  const rows = moneyActs.map(({ kind, act, makers, alone, second }) => {
    const by = second ? `another user: ${rolesOf(second)}` : "none is needed";
    return `| ${moneyKinds[kind]} | ${act} | ${makers} | ${alone} | ${by} |`;
  });
  return [
    "| what | act | made by | one is enough for | second user |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
