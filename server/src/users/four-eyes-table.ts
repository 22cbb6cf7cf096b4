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
    checkedIn: "payouts/approve.ts",
    writtenIn: ["payouts/insert-decided.ts", "payouts/approve.ts"],
  },
  {
    kind: "payout",
    act: "Release a payout that is on hold",
    makers: `${creator}; the users who added or changed the account since it was last paid`,
    alone: "nothing",
    second: "payouts.approve",
    checkedIn: "payouts/hold.ts",
    writtenIn: ["payouts/hold.ts"],
  },
  {
    kind: "payout",
    act: "Cancel a payout that was not sent",
    makers: creator,
    alone: "everything: the money stays with the subaccount",
    writtenIn: ["payouts/cancel.ts"],
  },
  {
    kind: "payout",
    act: "Approve a bank file",
    makers: "the user who froze it, and those who approved it before",
    alone:
      "one user, where the connection asks for one; its payouts were approved by their own rule",
    second: "banks.approve",
    checkedIn: "banks/release.ts",
    writtenIn: ["banks/freeze.ts", "banks/release.ts", "banks/send.ts"],
  },
  {
    kind: "payout",
    act: "Discard a bank file that may have left",
    makers: "the user who asked for it",
    alone: "nothing",
    second: "banks.release",
    checkedIn: "banks/release.ts",
    writtenIn: ["banks/release.ts"],
  },
  {
    kind: "payout",
    act: "End a sent payout by hand",
    makers: "the user who proposed the outcome",
    alone: "nothing",
    second: "payouts.resolve",
    checkedIn: "console/payouts/resolve.ts",
    writtenIn: ["console/payouts/resolve.ts", "payouts/resolve.ts"],
  },
  {
    kind: "destination",
    act: "Add or change an account of a receiver, at the console or by a notification of the bank",
    makers: "the user who proposed it, or brought or confirmed the bank's file",
    alone: "nothing",
    second: "accounts.approve",
    checkedIn: "accounts/decide-change.ts",
    writtenIn: ["accounts/propose-change.ts", "accounts/decide-change.ts"],
  },
  {
    kind: "destination",
    act: "Add, change or delete an account of a receiver with a key",
    makers: "the key, and every user who has seen a secret of it",
    alone:
      "everything, as published; first payouts to changed accounts wait, and those to accounts that a user could have added",
    writtenIn: ["accounts/create.ts", "accounts/change.ts", "accounts/delete.ts"],
  },
  {
    kind: "destination",
    act: "Add, change or enable a bank connection",
    makers: "the admin who asked for it",
    alone: "only disabling",
    second: "banks.write",
    checkedIn: "console/banks/request.ts",
    writtenIn: ["console/banks/request.ts", "banks/save-connection.ts"],
  },
  {
    kind: "destination",
    act: "Say what the columns of a bank's CSV statements mean",
    makers: "the admin who saved it",
    alone: "nothing",
    second: "banks.write",
    checkedIn: "banks/request.ts",
    writtenIn: ["banks/csv-mapping.ts", "banks/request.ts", "console/bank-requests/confirm.ts"],
  },
  {
    kind: "balance",
    act: "Decide about money in suspense, or undo such a decision: match, fund, give to the company, return",
    makers: "the user who asked for it",
    alone: "what all users decide alone on a day, up to the threshold of a payout",
    second: "banks.release",
    checkedIn: "banks/request.ts",
    writtenIn: ["banks/suspense.ts", "banks/suspend.ts", "banks/statements/company.ts"],
  },
  {
    kind: "balance",
    act: "Match a line of a statement, give it to the company, or undo that",
    makers: "the user who asked for it",
    alone: "what all users decide alone on a day, up to the threshold of a payout",
    second: "banks.release",
    checkedIn: "banks/request.ts",
    writtenIn: ["banks/statements/decide.ts"],
  },
  {
    kind: "file",
    act: "Apply a file from a bank that a user uploads",
    makers: "the user who uploaded it",
    alone:
      "nothing. Only a file that the service fetched itself, from a server with a pinned host key, needs no user. Where the connection has a PGP key, the bank has to have signed it",
    second: "banks.release",
    checkedIn: "banks/request.ts",
    writtenIn: [
      "console/bank-inbound/apply.ts",
      "banks/inbound.ts",
      "banks/inbound-page.ts",
      "banks/inbound-batch.ts",
      "banks/inbound-transfers.ts",
      "banks/statements/apply.ts",
      "banks/statements/fund-lines.ts",
    ],
  },
  {
    kind: "access",
    act: "Create a live key that may pay, write or change bank details, or rotate its secret",
    makers: "the user who asked for it",
    alone: "nothing. In test mode only keys that may pay wait, where a threshold is set",
    second: "keys.approve",
    checkedIn: "console/change-requests/decide.ts",
    writtenIn: [
      "console/keys/activation.ts",
      "console/keys/rotate.ts",
      "api-keys/create.ts",
      "api-keys/rotate.ts",
      "console/change-requests/decide.ts",
    ],
  },
  {
    kind: "access",
    act: "Loosen a limit or a threshold",
    makers: "the admin who asked for it",
    alone: "only stricter ones",
    second: "limits.write",
    checkedIn: "console/change-requests/decide.ts",
    writtenIn: ["console/limits/change.ts", "console/change-requests/decide.ts"],
  },
  {
    kind: "access",
    act: "Change the rules about payouts",
    makers: "the user who proposed them",
    alone: "nothing",
    second: "rules.approve",
    checkedIn: "rules/change.ts",
    writtenIn: ["rules/change.ts"],
  },
  {
    kind: "access",
    act: "Let users of finance approve",
    makers: "the admin who asked for it",
    alone: "nothing",
    second: "users.write",
    checkedIn: "console/users/finance-approval.ts",
    writtenIn: [],
  },
  {
    kind: "access",
    act: "Invite a user, reset one, or give one another role",
    makers: "the admin who did it",
    alone: "everything, but the two count as one user until another admin has confirmed it",
    second: "users.write",
    checkedIn: "users/confirm.ts",
    writtenIn: [
      "users/invite.ts",
      "users/reset.ts",
      "users/change.ts",
      "users/invitation.ts",
      "users/confirm.ts",
    ],
  },
];

/** Files that write these tables and move no money, or only what others have decided. Each with its reason. */
export const otherMoneyWrites: Readonly<Record<string, string>> = {
  "api-keys/cache.ts": "when a secret was used last",
  "api-keys/revoke.ts": "a key ends",
  "app/start-parts.ts": "invitations that have expired are deleted",
  "banks/funding.ts": "a deposit reference is made, once for each subaccount and currency",
  "banks/worker.ts": "sent payouts that no return has reached count as paid",
  "cli/ledger.ts": "the command line: someone with a shell is outside of the rule",
  "console/keys/revoke.ts": "a key ends, and what waits about it",
  "console/receivers/erase.ts": "an erasure waits for a second user; it moves no money",
  "ledger/fund.ts": "books what a file, a decision, a command or a test helper has decided",
  "ledger/reverse.ts": "the command line: someone with a shell is outside of the rule",
  "moves/switch.ts": "a subaccount moves to another cell by commands",
  "payouts/simulate.ts": "test mode only",
  "payouts/worker.ts": "sends what was approved, and records what the bank says",
  "privacy/erase.ts": "overwrites words about a receiver",
  "rotation/encrypted-columns.ts": "values are encrypted again under another key",
  "rotation/person-keys.ts": "values are encrypted again under another key",
  "users/change-password.ts": "users change their own password",
  "users/sign-in.ts": "a sign-in is recorded",
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
