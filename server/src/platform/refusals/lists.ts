// The codes about sanctions lists. Part of the table in refusals.ts.

export const refusalsAboutLists = {
  LIST101: [
    400,
    "The list can't be read",
    "Nothing was imported. Download the file again from its publisher. The message says where.",
  ],
  LIST102: [
    400,
    "The list has no file, or more than 256 MiB",
    "Give the files of one version of one list.",
  ],
  LIST103: [
    400,
    "The list has no entries",
    "Nothing was imported. Download the file again from its publisher.",
  ],
  LIST104: [
    404,
    "There is no such list",
    "Take a name from the table of lists in docs/compliance/screening.md.",
  ],
  LIST201: [
    404,
    "There is no such version of a list",
    "Take the id from `disburse screening lists --versions`.",
  ],
  LIST202: [
    409,
    "The version does not wait for a decision",
    "It was decided, or a newer version replaced it. See `disburse screening lists --versions`.",
  ],
  LIST203: [
    409,
    "A change of the embargoed countries waits for a second user",
    "Approve or decline it first: `disburse screening approve <version>`.",
  ],
  LIST204: [409, "The country is embargoed already", "See `disburse screening embargo list`."],
  LIST205: [404, "The country is not embargoed", "See `disburse screening embargo list`."],
  LIST206: [400, "This is not a country", "Give an ISO 3166-1 alpha-3 code such as PRK."],
  LIST207: [
    409,
    "At least one country has to stay embargoed",
    "Add another country first. A list is never empty, so that a lost one is noticed.",
  ],
} as const;
