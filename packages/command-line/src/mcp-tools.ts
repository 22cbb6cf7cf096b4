// The tools of `disburse mcp`: each is one route of the operator API, and its input has the names of that route. Two read the
// documentation, which needs no service.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { readDocs, searchDocs } from "./mcp-docs.ts";

type Field = Record<string, unknown> & { description?: string };

type Described = {
  name: string;
  description: string;
  input: Readonly<Record<string, Field>>;
  required?: readonly string[];
};
export type McpTool = Described & {
  /** The permission that the route asks for. A tool is listed only for those who have it. */
  may: string;
  route: `${"GET" | "POST"} /${string}`;
};
type DocsTool = Described & { answer(given: Record<string, unknown>): CallToolResult };

const text = (description: string, maxLength = 200): Field => ({
  type: "string",
  minLength: 1,
  maxLength,
  description,
});
const matching = (pattern: string, description: string): Field => ({
  type: "string",
  pattern,
  description,
});
/** Only ids become parts of a path, so that no input leads to another route. */
const id = (of: string) =>
  matching("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", `The id of ${of}`);

const inSubaccount = { subaccountId: id("the subaccount") };
const paged = {
  limit: matching("^[1-9]\\d{0,2}$", "Rows of a page"),
  cursor: text("`next` of the page before", 300),
};
const currency = matching("^[A-Z]{3}$", "ISO 4217");
const time = (description: string) =>
  matching("^\\d{1,15}$", `${description}: milliseconds since 1970`);

export const readingTools: readonly McpTool[] = [
  {
    name: "list_subaccounts",
    description: "Subaccounts, by words of the name or the beginning of an id",
    may: "read",
    route: "GET /subaccounts",
    input: { q: text("Words of the name, or the beginning of an id", 254), ...paged },
  },
  {
    name: "search",
    description: "Search a subaccount for receivers, payouts, accounts, events and return codes",
    may: "read",
    route: "GET /s/:subaccountId/search",
    input: { ...inSubaccount, q: text("An id, a name, a reference, an email or an amount", 254) },
    required: ["subaccountId", "q"],
  },
  {
    name: "list_payouts",
    description: "Payouts of a subaccount, newest first. Amounts are in minor units",
    may: "read",
    route: "GET /s/:subaccountId/payouts",
    input: {
      ...inSubaccount,
      status: { type: "string", enum: ["pending", "successful", "failed"] },
      stage: text("One stage, or several with commas", 300),
      currency,
      amount_min: matching("^\\d{1,16}$", "Minor units"),
      amount_max: matching("^\\d{1,16}$", "Minor units"),
      receiver_id: id("a receiver"),
      receiver_account_id: id("an account"),
      reference: text("The whole reference"),
      batch_id: id("a payout batch"),
      from: time("Created at or after"),
      to: time("Created before"),
      ...paged,
    },
    required: ["subaccountId"],
  },
  {
    name: "get_payout",
    description:
      "A payout with its timeline: where it is, why it was refused, put on hold or failed (cause, what_now), its events and entries",
    may: "read",
    route: "GET /s/:subaccountId/payouts/:id",
    input: { ...inSubaccount, id: id("the payout") },
    required: ["subaccountId", "id"],
  },
  {
    name: "list_events",
    description: "Events of a payout, a receiver or a subaccount, and whether they were delivered",
    may: "read",
    route: "GET /s/:subaccountId/events",
    input: {
      ...inSubaccount,
      payout_id: id("a payout"),
      receiver_id: id("a receiver"),
      type: text("The type of event"),
      from: time("Happened at or after"),
      to: time("Happened before"),
      ...paged,
    },
    required: ["subaccountId"],
  },
  {
    name: "get_receiver",
    description: "A receiver: states, identity check, accounts with masked numbers, history",
    may: "read",
    route: "GET /s/:subaccountId/receivers/:id",
    input: { ...inSubaccount, id: id("the receiver") },
    required: ["subaccountId", "id"],
  },
  {
    name: "get_balance",
    description: "The balances of a subaccount by currency: available, held, in transit",
    may: "read",
    route: "GET /s/:subaccountId/balances",
    input: inSubaccount,
    required: ["subaccountId"],
  },
  {
    name: "list_approvals",
    description: "What waits for the approval of a user at the console. It can't be approved here",
    may: "approvals.read",
    route: "GET /approvals",
    input: { subaccount_id: id("a subaccount"), ...paged },
  },
  {
    name: "list_banks",
    description: "Bank connections, and how far the books meet the bank",
    may: "banks.read",
    route: "GET /reconcile/banks",
    input: {},
  },
  {
    name: "list_statements",
    description: "Statements of banks, newest first",
    may: "banks.read",
    route: "GET /reconcile/statements",
    input: { connection_id: id("a bank connection"), ...paged },
  },
  {
    name: "list_statement_lines",
    description: "The lines of a statement",
    may: "banks.read",
    route: "GET /reconcile/statements/:id/lines",
    input: { id: id("the statement"), ...paged },
    required: ["id"],
  },
  {
    name: "list_open_statement_lines",
    description: "Statement lines of a bank connection that are not matched, with suggestions",
    may: "banks.read",
    route: "GET /reconcile/banks/:id/lines",
    input: { id: id("the bank connection"), ...paged },
    required: ["id"],
  },
  {
    name: "list_exceptions",
    description: "What a user has to look after at the banks, with its age, owner and note",
    may: "banks.read",
    route: "GET /reconcile/exceptions",
    input: { connection_id: id("a bank connection") },
  },
  {
    name: "get_rules",
    description: "The rules about payouts that are in force (active), and proposals that wait",
    may: "rules.read",
    route: "GET /rules",
    input: {},
  },
  {
    name: "get_account_form",
    description: "Which fields an account of a receiver has in a country",
    may: "read",
    route: "GET /s/:subaccountId/account-form",
    input: { ...inSubaccount, country: matching("^[A-Z]{3}$", "ISO 3166-1 alpha-3") },
    required: ["subaccountId", "country"],
  },
];

/** Acts that wait for a user at the console in every subaccount, whatever its limits: nothing else belongs here. */
export const proposingTools: readonly McpTool[] = [
  {
    name: "propose_account",
    description:
      "Propose a new account of a receiver. It exists only after a user has approved it at the console",
    may: "accounts.propose",
    route: "POST /s/:subaccountId/accounts",
    input: {
      ...inSubaccount,
      receiver_id: id("the receiver"),
      account_type: { type: "string", enum: ["I", "B"], description: "I individual, B business" },
      account_number: text("An IBAN in countries that use them"),
      country: matching("^[A-Z]{3}$", "ISO 3166-1 alpha-3. Default: the receiver's"),
      bsb: text("If the country has one"),
      bank_code: text("If the country has one: routing number, sort code, IFSC or BIC"),
      business_name: text("The name of a business that holds the account"),
      checking_or_savings: { type: "string", enum: ["checking", "savings"] },
      abn: text("Australian Business Number"),
      acn: text("Australian Company Number"),
      nzbn: text("New Zealand Business Number"),
      reference: text("The reference"),
    },
    required: ["subaccountId", "receiver_id", "account_type", "account_number"],
  },
  {
    name: "propose_rules",
    description:
      "Propose a whole set of rules about payouts; another user has to approve it at the console. Begin with get_rules",
    may: "rules.propose",
    route: "POST /rules/versions",
    input: {
      rules: { type: "array", items: { type: "object" }, description: "As get_rules has them" },
      base_version: { type: ["integer", "null"], description: "The active version. null: none" },
      note: text("What changes and why, for the user who approves it", 500),
    },
    required: ["rules", "base_version", "note"],
  },
  {
    name: "propose_erasure",
    description:
      "Request the erasure of a receiver. Nothing is erased before a user has approved it at the console",
    may: "receivers.privacy",
    route: "POST /s/:subaccountId/receivers/:id/erase",
    input: { ...inSubaccount, id: id("the receiver") },
    required: ["subaccountId", "id"],
  },
];

const shown = (text: string | undefined): CallToolResult => ({
  content: [{ type: "text", text: text ?? "There is no such page or section." }],
  isError: text === undefined,
});

export const docsTools: readonly DocsTool[] = [
  {
    name: "search_docs",
    description: "Search the documentation: the sections that have the words, with an excerpt",
    input: { query: text("Words, such as a code, a setting or a term") },
    required: ["query"],
    answer: ({ query }) => shown(searchDocs(String(query))),
  },
  {
    name: "read_docs",
    description: "Read a page of the documentation, or one section of it",
    input: { page: text("As search_docs names it"), section: text("The heading, without #") },
    required: ["page"],
    answer: ({ page, section }) =>
      shown(readDocs(String(page), section === undefined ? undefined : String(section))),
  },
];
