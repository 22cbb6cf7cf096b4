// The codes of the console, which only its own pages see. Part of the table in refusals.ts.

export const refusalsOfConsole = {
  CONS101: [401, "You are not logged in", "Log in and try again."],
  CONS102: [403, "Your role may not do this", "Ask an admin."],
  CONS103: [403, "Confirm that it is you", "Confirm by password or passkey, then try again."],
  CONS104: [
    403,
    "The request did not come from the console",
    "Open the console by its own address and do it there.",
  ],
  CONS105: [404, "There is no such subaccount", "Choose one of the list."],
  CONS106: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  CONS107: [400, "Fill this in", "The field is required."],
  CONS108: [400, "This is not valid", "The message or the field's hint says what is."],
  CONS109: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  CONS110: [404, "Not found", "It may have been removed, or belong to another subaccount."],

  CONS201: [
    401,
    "E-mail address or password is wrong",
    "Try again, or ask an admin for a new link.",
  ],
  CONS202: [429, "Too many attempts", "Wait as long as Retry-After says."],
  CONS203: [
    404,
    "This link does not work",
    "It was used or has expired. Ask an admin for a new one.",
  ],
  CONS204: [400, "Choose another password", "The message says why."],
  CONS205: [
    409,
    "The e-mail address is taken",
    "Give another one, or reset the log-in of the person who has it.",
  ],
  CONS206: [401, "The passkey was not accepted", "Try again, or use your password."],
  CONS207: [409, "The last admin must stay one", "Make somebody else an admin first."],
  CONS208: [409, "You can't do this to yourself", "Ask another admin."],
  CONS209: [
    400,
    "A developer has one subaccount or several, everybody else has none",
    "Send subaccount_id or subaccount_ids for a developer, and for nobody else.",
  ],
  CONS210: [503, "Your company's log-in does not answer", "Try again, or use your password."],
  CONS211: [
    403,
    "Your company's log-in did not let you in",
    "Ask an admin whether you were invited under the e-mail address that you have there.",
  ],
  CONS212: [
    403,
    "Your company's log-in did not ask you again",
    "Sign in there with your password or passkey, and come back within a minute.",
  ],

  CONS401: [409, "It no longer waits for approval", "Somebody has decided already: look again."],
  CONS402: [403, "Whoever asked for it can't approve it", "Another person has to."],
  CONS403: [409, "A change of this account is waiting", "Approve or decline that one first."],
  CONS404: [
    409,
    "The account has been changed since this was proposed",
    "Decline it, look at the account, and propose it anew where it is still right.",
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
    "Somebody who has not seen it has to approve.",
  ],
  CONS408: [
    403,
    "You and the person who made it count as one for a day after an invitation, a reset or a new role",
    "Another person has to approve it, or you do when the day is over.",
  ],
  CONS409: [
    409,
    "The limits have been changed since this was asked for",
    "Decline it, look at the limits, and ask again where it is still right.",
  ],

  CONS501: [
    409,
    "Only a failed payout can be made anew",
    "Wait until it has failed, or make another payout.",
  ],
  CONS502: [
    400,
    "The file can't be read",
    "The message says why. The template has a header that works.",
  ],
  CONS503: [
    400,
    "The file has problems",
    "Check it, correct the rows that are named, and start again.",
  ],
  CONS504: [
    409,
    "The totals are not what the file comes to",
    "Check the file again, compare its totals with your own, and type them as they are.",
  ],
  CONS505: [
    409,
    "The payout can't be resolved by hand",
    "Only a payout that was sent and is set aside, or has had no answer for 30 minutes, can be.",
  ],
  CONS506: [409, "The payout is being sent right now", "Try again in 15 seconds."],
  CONS507: [400, "This is not its amount", "Type the amount of the payout as it is shown."],

  CONS601: [
    409,
    "Somebody else is at this case",
    "Take another one, or wait until they have decided or released it.",
  ],
  CONS602: [
    409,
    "The case has changed since you opened it",
    "Look at it again: the person's details or state are not what you saw.",
  ],
  CONS603: [
    409,
    "You have approved this case already",
    "It takes two: somebody else has to approve it as well.",
  ],

  CONS701: [409, "The subaccount is closed", "Its data can be read. Nothing new is made for it."],
  CONS702: [
    409,
    "There is nothing to pause",
    "Only an endpoint that has an address and is not stopped already can be paused.",
  ],
  CONS703: [409, "There is no address to send to", "Set one, and then try again."],
  CONS704: [409, "The recovery has ended", "It is done, or somebody cancelled it."],
  CONS705: [409, "The key is revoked", "Create a new one."],
  CONS706: [400, "This is no address", "Give addresses or CIDR ranges, such as 203.0.113.0/24."],
  CONS707: [400, "This time is over", "Give a time to come, or none."],
  CONS710: [
    409,
    "The subaccount has 50 keys that work",
    "Revoke one that is no longer used, then create this one.",
  ],
  CONS709: [
    403,
    "Your role may not do this with such a key",
    "A key of a live subaccount, or one with the scope payout or bank_details, takes an operator or an admin.",
  ],
  CONS708: [400, "This is not its name", "Type the name of the subaccount exactly as it is shown."],

  CONS801: [
    400,
    "The period is not valid",
    "Give a month, or whole days of UTC of at most a year.",
  ],
  CONS802: [409, "The month is not over", "Close it an hour after its end, or later."],
  CONS803: [409, "The month is closed already", "Look at who closed it, and when."],
  CONS804: [
    409,
    "The books do not agree",
    "Find out why with `disburse ledger verify`: a month is closed only without a difference.",
  ],
  CONS805: [409, "The figures are still being added up", "Try again in a moment."],
  CONS806: [
    429,
    "Too many pages are listening",
    "Close some tabs: the page goes on without live updates until then.",
  ],
} as const;
