// The codes of the console, which only its own pages see. Part of the table in refusals.ts.

export const refusalsOfConsole = {
  CONS101: [401, "You are not signed in", "Sign in and try again."],
  CONS102: [403, "Your role may not do this", "Ask an admin."],
  CONS103: [
    403,
    "Confirm that it is you",
    "Confirm with your password or passkey, then try again.",
  ],
  CONS104: [
    403,
    "The request did not come from the console",
    "Open the console at its own URL and try again there.",
  ],
  CONS105: [404, "The subaccount does not exist", "Choose a subaccount from the list."],
  CONS106: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  CONS107: [400, "Fill this in", "The field is required."],
  CONS108: [400, "This is not valid", "See the message or the field's hint."],
  CONS109: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  CONS110: [404, "Not found", "It may have been removed, or belong to another subaccount."],
  CONS111: [
    409,
    "The service has been updated since this page was loaded",
    "Reload the page. What you have typed is kept.",
  ],

  CONS201: [401, "Email or password is wrong", "Try again, or ask an admin for a new link."],
  CONS202: [429, "Too many attempts", "Wait as long as Retry-After says."],
  CONS203: [
    404,
    "This link does not work",
    "It was used or has expired. Ask an admin for a new link.",
  ],
  CONS204: [400, "Choose another password", "See the message for the reason."],
  CONS205: [
    409,
    "The email is taken",
    "Use another email, or reset the sign-in of the user who has it.",
  ],
  CONS206: [401, "The passkey was not accepted", "Try again, or use your password."],
  CONS207: [409, "The last admin can't be removed", "Make another user an admin first."],
  CONS208: [409, "You can't do this to yourself", "Ask another admin."],
  CONS209: [
    400,
    "A developer needs at least one subaccount; other roles have none",
    "Send subaccount_id or subaccount_ids for a developer only.",
  ],
  CONS210: [503, "Your identity provider does not respond", "Try again, or use your password."],
  CONS211: [
    403,
    "Your identity provider did not sign you in",
    "Ask an admin whether you were invited with the email that you use there.",
  ],
  CONS212: [
    403,
    "Your identity provider did not ask you to sign in again",
    "Sign in there with your password or passkey, and come back within a minute.",
  ],
  CONS213: [
    409,
    "Confirm the first admin",
    "The other link was used first. Reload the page, and confirm that you know the first admin and are another person.",
  ],
  CONS214: [
    403,
    "The first admin has signed in with this browser",
    "The second link is for another person: open it in the browser of that person.",
  ],
  CONS215: [400, "A token lasts 90 days at most", "Choose an earlier day."],
  CONS216: [409, "The name is taken", "Every token has its own name, those that have ended too."],
  CONS218: [
    404,
    "The code is wrong, used or expired",
    "Type the code that the command line shows, or run `disburse login` again.",
  ],
  CONS217: [409, "There are 100 active tokens", "Revoke a token that is no longer used."],

  CONS401: [
    409,
    "It no longer waits for approval",
    "Another user has decided already. Reload the page.",
  ],
  CONS402: [403, "You can't approve your own request", "Another user has to approve it."],
  CONS403: [409, "A change of this account is waiting", "Approve or decline that one first."],
  CONS404: [
    409,
    "The account has been changed since this was proposed",
    "Decline it, check the account, and propose the change again if it is still right.",
  ],
  CONS405: [400, "Nothing would change", "Change at least one field."],
  CONS406: [
    409,
    "The change can't be decrypted",
    "Decline it and propose it again. The master key may have been replaced.",
  ],
  CONS407: [
    403,
    "You have seen the secret of the key that made it",
    "A user who has not seen it has to approve.",
  ],
  CONS408: [
    403,
    "You and the user who made it count as one after an invitation, a reset or a new role",
    "Another user has to approve it, or another admin confirms the invited user first.",
  ],
  CONS409: [
    409,
    "The limits have been changed since this was requested",
    "Decline it, check the limits, and request the change again if it is still right.",
  ],

  CONS410: [
    409,
    "You have approved this payout already",
    "Another user has to approve it as well.",
  ],
  CONS411: [
    403,
    "The payout needs the approval of users of another role",
    "Its page says which role has to approve it.",
  ],
  CONS412: [
    409,
    "The erasure of this receiver has been requested already",
    "It waits under Approvals.",
  ],
  CONS414: [409, "The user is confirmed already", "There is nothing to confirm. Reload the page."],
  CONS413: [
    409,
    "The secret has been replaced since this was requested",
    "Decline it. The key was rotated again, by another user or on the command line.",
  ],
  CONS415: [
    400,
    "Live and test payouts can't be approved together",
    "Approve the live payouts and the test payouts separately.",
  ],
  CONS416: [
    403,
    "A command of the same user of the system made it, and a name given with --by does not count as another user",
    "Approve it at the console, or as another user of the system.",
  ],
  CONS417: [
    409,
    "A link that sets the user's password has not been used",
    "Confirm the user once they have told you that they used the link and signed in, or after the link has expired.",
  ],
  CONS418: [
    409,
    "A live subaccount always needs a second user",
    "Only a test subaccount can do without one.",
  ],

  CONS501: [
    409,
    "Only a failed payout can be retried",
    "Wait until it has failed, or create another payout.",
  ],
  CONS502: [
    400,
    "The file can't be read",
    "See the message for the reason. The template has a valid header.",
  ],
  CONS503: [400, "The file has problems", "Correct the listed rows and start again."],
  CONS504: [
    409,
    "The totals do not match the file",
    "Check the file again, compare its totals with your own, and type the totals of the file.",
  ],
  CONS505: [
    409,
    "The payout can't be resolved by hand",
    "Only a payout that was sent, and is set aside or has had no response for 30 minutes, can be resolved.",
  ],
  CONS506: [409, "The payout is being sent right now", "Try again in 15 seconds."],
  CONS507: [400, "The amount does not match", "Type the amount of the payout as it is shown."],
  CONS508: [
    409,
    "The payout is not on hold",
    "Read the payout again: it was released, refused or cancelled, or it was never on hold.",
  ],
  CONS512: [
    409,
    "The batch has changed since you opened it",
    "Reload the page, look at its payouts and sums, and decide again.",
  ],
  CONS514: [
    409,
    "The new receivers and accounts are not those that you were shown",
    "Check the file again: another user may have created some of them.",
  ],
  CONS511: [
    400,
    "No row of the file can be imported",
    "Correct the rows with problems. Rows that were imported before are not created again.",
  ],
  CONS513: [
    409,
    "The payout has no receipt",
    "A payout has one from when the bank has paid it, unless it comes back.",
  ],
  CONS515: [
    400,
    "The picture can't be used",
    "Send a PNG or JPEG of at most 200 kB, each side 8 to 1,200 pixels.",
  ],

  CONS601: [
    409,
    "Another user is working on this case",
    "Take another case, or wait until this one is decided or released.",
  ],
  CONS602: [
    409,
    "The case has changed since you opened it",
    "Review it again: the receiver's details or state have changed.",
  ],
  CONS603: [
    409,
    "You have approved this case already",
    "It needs two approvals: another user has to approve it too.",
  ],
  CONS604: [
    409,
    "A hit of the receiver holds the payout",
    "Decide the receiver's hits in the review queue first. A payout to a person on a list can only be refused.",
  ],
  CONS611: [
    409,
    "The hit is decided already",
    "Another user has decided it, or its entry is no longer on the list. Reload the page.",
  ],

  CONS701: [
    409,
    "The subaccount is closed",
    "Its data can be read, but nothing new can be created.",
  ],
  CONS702: [
    409,
    "There is nothing to pause",
    "Only a webhook endpoint that has a URL and is not paused or disabled can be paused.",
  ],
  CONS703: [
    409,
    "There is no webhook endpoint",
    "Set the URL of the webhook endpoint, then try again.",
  ],
  CONS704: [409, "The recovery has ended", "It is complete, or a user cancelled it."],
  CONS705: [409, "The key is revoked", "Create a new one."],
  CONS706: [
    400,
    "This is not an IP address",
    "Send IP addresses or CIDR ranges, such as 203.0.113.0/24.",
  ],
  CONS707: [400, "The time is in the past", "Send a time in the future, or none."],
  CONS710: [
    409,
    "The subaccount has 50 active keys",
    "Revoke a key that is no longer used, then try again.",
  ],
  CONS709: [
    403,
    "Your role may not do this with this key",
    "Keys of live subaccounts, and keys with the scope payout or bank_details, need an operator or an admin.",
  ],
  CONS708: [
    400,
    "The name does not match",
    "Type the name of the subaccount exactly as it is shown.",
  ],

  CONS801: [400, "The period is not valid", "Send a month, or whole UTC days of at most a year."],
  CONS802: [409, "The month is not over", "Close it at least an hour after its end."],
  CONS803: [409, "The month is closed already", "The page shows who closed it, and when."],
  CONS804: [
    409,
    "The books do not agree",
    "Run `disburse ledger verify` to find the reason. A month can be closed only without drift.",
  ],
  CONS805: [409, "The figures are still being calculated", "Try again in a moment."],
  CONS806: [
    429,
    "Too many pages receive live updates",
    "Close some tabs. Until then this page has no live updates.",
  ],
  CONS807: [
    409,
    "A bank connection is not closed for the month",
    "Close the month of the bank connections that moved money of the subaccount first, under Reconcile.",
  ],
  CONS808: [
    403,
    "Only a test subaccount has test funds",
    "Fund a live subaccount by a bank transfer: Balances, How to fund.",
  ],
  CONS809: [409, "There are 50 saved views of this list", "Delete a view that you no longer need."],
  CONS810: [
    403,
    "Only in test mode can an outcome be simulated",
    "Wait for the identity check, or for the bank.",
  ],
  CONS811: [
    409,
    "Sample data is only for a test subaccount without receivers, in which one user is enough",
    "Create another test subaccount, or turn off the second user in its settings.",
  ],
} as const;
