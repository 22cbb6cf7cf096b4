// The layers of the server, top to bottom. A file imports its own layer or lower. The tidy test reads this list, and
// `npm run generate` draws it into ARCHITECTURE.md.

export const layers: readonly (readonly [folder: string, what: string])[] = [
  ["cli", "disburse <command>, one file each"],
  ["bank-simulator", "a bank on this machine, with readers and writers of its own"],
  ["app", "the assembly: starts the service, its background work, its documents"],
  ["rotation", "the list of encrypted columns, and how they come under a new key"],
  ["console", "everything behind /console/api, a folder for each screen"],
  ["imports", "CSV rows become receivers and payouts, for the console and the command line"],
  ["privacy", "erases receivers, exports one person, removes what has been kept long enough"],
  ["exports", "everything as JSON lines, for warehouses"],
  ["test-helpers", "what subaccounts in test mode can simulate"],
  ["moves", "takes a subaccount to another cell, by logical replication"],
  ["banks", "bank connections, bank batches and their files, what comes back"],
  ["reviews", "screening in the background, and what a decision about a hit does"],
  ["payouts", "payouts: create, approve, send, settle; states.ts is the table of moves"],
  ["rules", "rules about payouts: data in versions, changed by two users, and their evaluation"],
  ["bank-formats", "bank files: writers, readers and checks of each format, pure"],
  ["ledger", "the books: balances and transfers, append only"],
  ["accounts", "receiver accounts; banks/ is the table of countries"],
  ["kyc", "identity checks in the background"],
  ["receivers", "receivers; states.ts holds the two state machines"],
  ["screening", "sanctions lists, the index of their names, records and hits"],
  ["delivery", "sends events: worker, lanes, retries, the HTTP client, diagnosis"],
  ["events", "the outbox, lists, resend, recovery, the feed"],
  ["webhook-endpoints", "where a subaccount's events go, and the secrets that sign them"],
  ["request-log", "API requests of the last 30 days, redacted"],
  ["subaccounts", "the tenants"],
  ["api-keys", "keys, secrets, signatures"],
  ["users", "who signs in to the console, and what each role may do"],
  ["audit", "what users did, chained by hashes"],
  ["http", "the toolkit for routes: validate, serialize, envelope, limits"],
  ["idempotency", "each request is done once: nonce and idempotency key"],
  ["kyc-providers", "provider.ts is the port; sandbox, manual, Sumsub"],
  ["payee-checks", "checker.ts is the port that checks payees' names; sandbox"],
  ["calendars", "banking days of each clearing, cut-offs as wall-clock times, pure"],
  ["rails", "rail.ts is the port to banks; sandbox"],
  [
    "data-keys",
    "the keys that encrypt; key-service.ts is the port that wraps them: master key, Vault",
  ],
  ["search-words", "the words by which the console finds receivers, payouts and subaccounts"],
  ["db", "connections, batches, migrations, the embedded PostgreSQL"],
  ["documents", "CSV, PDF, XML and spreadsheets, streamed, pure"],
  ["names", "compares names of people and organisations, pure; docs/screening.md explains it"],
  ["fields", "checks an object by its schema, and lists all that is wrong"],
  ["refusals", "every error code with its text and cure, one table"],
  ["metrics", "every metric, one table"],
  ["src", "single files: caller, clock, config, ids, limits, money, seal …"],
  ["retention", "how long each kind of data is kept, one table, pure"],
  ["tracing", "spans for OpenTelemetry, only where an endpoint is configured"],
  ["addresses", "which network addresses we may connect to"],
];

const width = Math.max(...layers.map(([folder]) => folder.length));

/** The picture for ARCHITECTURE.md, with its frame. */
export function layerPicture(): string {
  const lines = layers.map(([folder, what]) => `    ${folder.padEnd(width)}  ${what}`);
  return [
    "<!-- layers: written by npm run generate -->",
    "",
    ...lines,
    "",
    "<!-- end of layers -->",
  ].join("\n");
}
