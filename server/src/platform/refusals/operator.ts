// Codes of /operator/v1. What the console refuses too has the codes of the console.

export const refusalsOfOperator = {
  OPER101: [
    401,
    "The token is missing or unknown",
    "Send `Authorization: Bearer ot_…` with a token that an admin made at the console.",
  ],
  OPER102: [401, "The token has ended", "An admin can make another one at the console."],
  OPER103: [
    403,
    "The token waits for a second admin",
    "Another admin approves it at the console, under Approvals.",
  ],
  OPER104: [
    403,
    "The token is not allowed from this address",
    "Call from an address of its list, or make a token with another list.",
  ],
  OPER105: [
    403,
    "Only a user can do this",
    "Do it at the console: tokens never approve, and never sign in.",
  ],
  OPER106: [
    409,
    "The request was done, but its response is lost",
    "Do not repeat it with another key: read the object to see what was done.",
  ],
  OPER107: [
    403,
    "The token reaches only its own subaccounts",
    "Name one of them in the path, or use a token for all subaccounts.",
  ],
  OPER108: [
    410,
    "The sign-in was declined, or its code has expired",
    "Run `disburse login` again.",
  ],
  OPER109: [503, "Too many sign-ins wait", "Try again in some minutes."],
  OPER110: [403, "This command needs the server", "Run it on the server, or do it at the console."],
  OPER111: [
    403,
    "An API key has no such command",
    "It has those of receivers, accounts, payouts, balances and events. Sign in as a user for the others.",
  ],
} as const;
