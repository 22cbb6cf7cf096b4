// The codes about events and about where they go. Part of the table in refusals.ts.

import { eventTypes, onRequestTypes } from "../event-catalogue/index.ts";

const name = "At most 100 characters: letters, marks, spaces, apostrophe, hyphen, full stop.";
const email = 'One email of at most 254 characters, or "".';
const dialcode = '1 to 4 digits, with or without a plus sign, or "".';
const telephone = '4 to 15 digits that form a possible number with the dialcode, or "".';
const milliseconds = "Send milliseconds since the Unix epoch.";

export const refusalsAboutEvents = {
  SUBA201: [400, "Title is not valid", "At most 100 characters, no control characters."],
  SUBA202: [400, "First name is not valid", name],
  SUBA203: [400, "Last name is not valid", name],
  SUBA204: [400, "Email is not valid", email],
  SUBA205: [400, "Support email is not valid", email],
  SUBA206: [400, "Mobile dialcode is not valid", dialcode],
  SUBA207: [400, "Mobile is not valid", telephone],
  SUBA208: [400, "Home phone dialcode is not valid", dialcode],
  SUBA209: [400, "Home telephone is not valid", telephone],
  SUBA210: [
    400,
    "Postback URL is not valid",
    'Send a public https URL, or "" for none. See the message for the reason.',
  ],
  SUBA217: [
    400,
    "Balance levels are not valid",
    'Send an object of currencies with minor units from 1, such as {"AUD": 500000}.',
  ],
  SUBA216: [400, "Event metadata is not valid", "Send true or false."],
  SUBA211: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  SUBA212: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  SUBA213: [400, "Nothing is to change", "Send at least one of the fields that can change."],
  SUBA214: [400, "Overlap is not valid", "Send overlap_s: whole seconds from 0 to 604800."],
  SUBA215: [
    400,
    "Event types are not valid",
    `Send a list of types, such as the types on request: ${onRequestTypes.join(", ")}. The published types are always sent.`,
  ],

  ENDP101: [
    400,
    "Webhook endpoint ID not found",
    "Check the id: GET /api/webhook-endpoint lists them.",
  ],
  ENDP201: [400, "URL is not valid", "Send a public https URL. See the message for the reason."],
  ENDP202: [400, "Description is not valid", "At most 200 characters, no control characters."],
  ENDP203: [400, "Event types are not valid", `Send at least one of ${eventTypes.join(", ")}.`],
  ENDP204: [400, "Format is not valid", "Send full or thin."],
  ENDP205: [
    400,
    "Headers are not valid",
    "Send at most 20 names with values of 1 to 1024 printable ASCII characters. Not host, user-agent, webhook-*, content-*, transfer-encoding, connection and other headers of the request itself.",
  ],
  ENDP206: [
    400,
    "Disable after days is not valid",
    "Send a whole number from 1 to 7, or null for the webhook endpoint of postback_url.",
  ],
  ENDP207: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  ENDP208: [400, "Overlap is not valid", "Send overlap_s: whole seconds from 0 to 604800."],
  ENDP209: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  ENDP210: [400, "Nothing is to change", "Send at least one of the fields that can change."],
  ENDP211: [
    400,
    "Since is not valid",
    "Send milliseconds since the Unix epoch, at most 30 days ago.",
  ],
  ENDP301: [
    409,
    "There are ten webhook endpoints",
    "Delete one that is no longer used, then try again.",
  ],
  ENDP302: [
    400,
    "The webhook endpoint of postback_url gets full events",
    "Create another webhook endpoint with the format thin.",
  ],
  ENDP303: [
    409,
    "There is nothing to pause",
    "Only a webhook endpoint that is not paused or disabled can be paused.",
  ],

  EVNT101: [400, "Event ID not found", "Check the id. Events are kept for 90 days."],
  EVNT201: [400, "Type is not valid", `Send one of ${eventTypes.join(", ")}.`],
  EVNT202: [400, "Set is not valid", "Send an object with fields of that event, as documented."],
  EVNT203: [400, "Since is not valid", "Send milliseconds since the Unix epoch, before until."],
  EVNT204: [400, "Until is not valid", milliseconds],
  EVNT205: [400, "Include delivered is not valid", "Send true or false."],
  EVNT206: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  EVNT207: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  EVNT208: [
    400,
    "A test event can't name a real id",
    "Omit the id, so that one is invented, or send an id that none of your payouts, receivers and accounts has.",
  ],
  EVNT209: [
    400,
    "The webhook endpoint does not get this type",
    "Name another webhook endpoint, or none, or add the type to its event_types.",
  ],
  EVNT301: [
    409,
    "There is no postback address",
    "Set postback_url with PATCH /api/subaccount, then try again.",
  ],
  EVNT302: [
    429,
    "Too many feeds are open",
    "Close a feed that is not needed, or wait as long as Retry-After says.",
  ],
  EVNT401: [400, "Limit is not valid", "Send a whole number from 1 to 1000."],
  EVNT402: [400, "Type is not valid", `Send one of ${eventTypes.join(", ")}.`],
  EVNT403: [400, "Status is not valid", "Send waiting, delivered, undelivered or unsent."],
  EVNT404: [400, "Payout ID is not valid", "Send the id of a payout."],
  EVNT405: [400, "Receiver ID is not valid", "Send the id of a receiver."],
  EVNT406: [400, "From is not valid", milliseconds],
  EVNT407: [400, "To is not valid", milliseconds],
  EVNT408: [
    400,
    "Cursor is not valid",
    "Take the cursor from the link header of the page before, unchanged.",
  ],
  EVNT409: [400, "Query parameter is unknown", "Remove the parameter, or correct its spelling."],
  EVNT410: [
    400,
    "Last event ID is not valid",
    "Send the id of the last event that you received, or none to start now.",
  ],
} as const satisfies Record<string, readonly [status: number, text: string, cure: string]>;
