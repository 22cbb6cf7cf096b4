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
  CONS205: [409, "The e-mail address is taken", "Give another one, or reset the person's log-in."],

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
} as const;
