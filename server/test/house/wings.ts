// The wings of the server and the nouns in them, top to bottom. A file imports its own noun or lower ones, and others only
// through their face, index.ts. The tidy test reads this table, and `npm run generate` draws it into ARCHITECTURE.md.

export type Wing = {
  name: string;
  what: string;
  nouns: readonly (readonly [noun: string, what: string])[];
};

export const wings: readonly Wing[] = [
  {
    name: "doors",
    what: "how one gets in: the command line, the API, the console, and the processes behind them",
    nouns: [
      ["cli", "disburse <command>, one file each"],
      ["app", "the assembly: starts the service, its background work, its documents"],
      ["supervisor", "several processes on one port: forks, replaces and ends them"],
      ["process", "what every serving process has: start-up, health, admin port, shutdown"],
      ["restore", "restores backups, and moves the embedded database to another PostgreSQL"],
      ["database", "opens the database and its keys, for a command or a process"],
      ["setup", "what every command and process starts with: configuration, exit codes"],
      ["api", "the routes of /api, a folder for each noun"],
      ["operator", "/operator/v1: the routes of the console for programs, under a token"],
      ["console", "everything behind /console/api, a folder for each screen"],
      ["test-helpers", "what subaccounts in test mode can simulate"],
      ["review-list", "the review queue, for the console and the command line"],
      ["request-list", "the log of API requests, for the console and the command line"],
      ["lists", "how lists are paged, and their fields"],
      ["moves", "takes a subaccount to another cell, by logical replication"],
      ["rotation", "the list of encrypted columns, and how they come under a new key"],
      ["exports", "everything as JSON lines, for warehouses, and all about one person"],
    ],
  },
  {
    name: "banking",
    what: "files to and from banks",
    nouns: [
      ["worker", "the background work for banks"],
      ["inbound-files", "files from banks: polled or uploaded, verified, applied"],
      [
        "statements",
        "bank statements: lines kept once, matched, exceptions, positions, closed months",
      ],
      ["answers", "what banks say about payouts: outcomes, returns, recalls; suspense"],
      ["files", "bank batches and their files: frozen, approved, released, sent"],
      ["connections", "bank connections: our own accounts, their formats and windows"],
      ["requests", "what waits at a bank for a second user: files, decisions about much money"],
      ["readers", "reads files of banks in a thread, line by line, pure"],
      ["sftp", "sessions with the SFTP servers of banks, and the keys for them"],
      ["pgp", "encrypts and signs files for banks, verifies theirs"],
      ["sftp-settings", "the settings of a connection whose files travel by SFTP"],
    ],
  },
  {
    name: "money",
    what: "payouts and the books",
    nouns: [
      [
        "imports",
        "rows of files become receivers, accounts and payouts, for the console and the command line",
      ],
      ["sheets", "reads CSV files and workbooks in a thread: cells, columns, values, pure"],
      ["hits", "what a decision about a screening hit does to a receiver and its payouts"],
      [
        "screener",
        "the screener of a process: screening, and the holds of payouts that a hit causes",
      ],
      ["payouts", "payouts: create, approve, send, settle; states.ts is the table of moves"],
      [
        "rules",
        "rules about payouts: data in versions, changed by two users, and their evaluation",
      ],
      ["ledger", "the books: balances and transfers, append only"],
      ["rails", "rail.ts is the port to banks; sandbox"],
    ],
  },
  {
    name: "people",
    what: "receivers and what is known of them",
    nouns: [
      ["reviews", "screening in the background"],
      ["privacy", "erases receivers, removes what has been kept long enough"],
      ["kyc", "identity checks in the background"],
      ["accounts", "receiver accounts"],
      ["receivers", "receivers; states.ts holds the two state machines"],
      [
        "sanctions-lists",
        "keeps the versions of sanctions lists, and what users decide about them",
      ],
      ["screening", "names against the lists: the index, records and hits"],
      ["list-files", "reads sanctions lists in a thread: OFAC, EU, UK, UN, DFAT, pure"],
      ["person", "what is known of a person, under a key of its own"],
      ["account-rules", "what a bank account needs in each country, one table"],
      [
        "account-numbers",
        "the fields of a bank account, and the check of given details against them, pure",
      ],
      ["payee-checks", "checker.ts is the port that checks payees' names; sandbox"],
      ["kyc-providers", "provider.ts is the port; sandbox, manual, Sumsub"],
    ],
  },
  {
    name: "webhooks",
    what: "events and their delivery",
    nouns: [
      ["delivery", "sends events: worker, lanes, retries"],
      ["http-client", "one POST to a webhook endpoint, with its limits"],
      ["diagnosis", "why the signature of a webhook did not verify"],
      ["events", "the outbox, lists, resend, recovery, the feed"],
      ["webhook-endpoints", "where a subaccount's events go, and the secrets that sign them"],
      ["webhook-signature", "the headers of one attempt, with the signature, pure"],
    ],
  },
  {
    name: "tenants",
    what: "who calls us and who works here",
    nouns: [
      ["request-log", "API requests of the last 30 days, redacted"],
      ["users", "who works in the console: invited, changed, confirmed, signed in"],
      ["operator-tokens", "tokens with which programs of the company call /operator/v1"],
      ["subaccounts", "the companies that call the API"],
      ["api-keys", "keys and their secrets"],
      [
        "acts",
        "what users and commands do, with its permission, input and audit entry, as doors carry it",
      ],
      ["user-records", "the statements about users: records, sessions, invitations, attempts"],
      ["four-eyes", "who may be the second user"],
      ["roles", "what each role may do, and which acts need two users"],
      ["audit", "what users did, chained by hashes"],
      ["installation", "the one row about this installation: cell, merchant, quarantine"],
    ],
  },
  {
    name: "platform",
    what: "what all of it stands on",
    nouns: [
      ["http", "the toolkit for routes: validate, serialize, envelope, limits"],
      ["metadata", "keys and values of callers at their objects, by which lists are filtered"],
      ["idempotency", "each request is done once: nonce and idempotency key"],
      [
        "data-keys",
        "the keys that encrypt; key-service.ts is the port that wraps them: master key, Vault",
      ],
      ["search-words", "the words by which the console finds receivers, payouts and subaccounts"],
      ["backup", "base backups, the archive of the WAL, and recovery"],
      ["embedded", "the embedded PostgreSQL"],
      ["batching", "natural batching: calls that wait form one statement"],
      ["db", "connections, transactions, migrations"],
      ["log", "JSON lines, redacted, written in the background"],
      ["config", "every setting, one table"],
      ["documents", "CSV, PDF and spreadsheets, streamed, pure"],
      ["fields", "checks an object by its schema, and lists all that is wrong"],
      ["phones", "checks phone numbers, pure"],
      ["emails", "checks emails, pure"],
      ["refusals", "every error code with its text and cure, one table"],
      ["event-catalogue", "every event type with its schema"],
      ["metrics", "every metric, one table"],
      ["signatures", "signs and verifies requests and webhooks"],
      ["encryption", "seal.ts: the format of encrypted values, and the key ring of a process"],
      ["base", "ids, money, clock, cursor, caller and version"],
      ["limits", "every limit"],
      ["retention", "how long each kind of data is kept, one table, pure"],
      ["settings", "how a setting is read: addresses, paths, numbers, keys"],
      ["addresses", "which network addresses we may connect to"],
      ["tracing", "spans for OpenTelemetry, only where an endpoint is configured"],
    ],
  },
];

/** All nouns with their wings, top to bottom: "doors/cli". */
export const nouns: readonly string[] = wings.flatMap((wing) =>
  wing.nouns.map(([noun]) => `${wing.name}/${noun}`),
);

const width = Math.max(...wings.flatMap((wing) => wing.nouns.map(([noun]) => noun.length)));
const wingWidth = Math.max(...wings.map(({ name }) => name.length));
const lineMax = 118;

/** The picture for ARCHITECTURE.md, with its frame: the wings with their nouns. */
export function wingPicture(): string {
  const lines = wings.flatMap(({ name, what, nouns }) => [
    `    ${name.padEnd(wingWidth)}  ${what}`,
    ...wrap(nouns.map(([noun]) => noun)).map((line) => `    ${" ".repeat(wingWidth)}  ${line}`),
    "",
  ]);
  return framed("wings", lines);
}

/** The table for ARCHITECTURE.md, with its frame: each noun in one line. */
export function nounTable(): string {
  const lines = wings.flatMap(({ name, nouns }) => [
    `    ${name}/`,
    ...nouns.map(([noun, what]) => `      ${noun.padEnd(width)}  ${what}`),
    "",
  ]);
  return framed("nouns", lines);
}

/** The names with a dot between them, in lines that are not too long. */
function wrap(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    const longer = last === undefined ? name : `${last} · ${name}`;
    if (last === undefined || longer.length > lineMax - wingWidth - 6) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function framed(name: string, lines: readonly string[]): string {
  const first = `<!-- ${name}: written by npm run generate -->`;
  return [first, "", ...lines, `<!-- end of ${name} -->`].join("\n");
}
