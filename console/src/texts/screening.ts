// Shared texts of the screens below screening/ and of hits.

const lists = {
  "ofac-sdn": "OFAC SDN",
  "ofac-consolidated": "OFAC non-SDN",
  un: "UN",
  dfat: "DFAT",
  eu: "EU",
  uk: "UK",
  embargo: "Embargoed countries",
} as const;

export const listNames = Object.keys(lists);

export function listText(list: string): string {
  return lists[list as keyof typeof lists] ?? list;
}

export const screeningTexts = {
  title: "Sanctions lists",
  list: "List",
  versions: "Versions",
  entries: "Entries",
  names: "Names",
  published: "Published",
  imported: "Imported",
  importList: "Import a list",
  country: "Country",
  source: "Source",
  addCountry: "Add country",
  approve: "Approve",
  decline: "Decline",
} as const;
