// What waits for a second user of the company: files to a bank and those to discard, bank connections, rules, versions of
// sanctions lists, operator tokens, and whether finance approves. There are few of each, so they are read whole.

import { listConnectionRequests, listConnections } from "../../../banking/connections/index.ts";
import { approvalsMissing, listBatches, openStatuses } from "../../../banking/files/index.ts";
import { listRuleSets } from "../../../money/rules/index.ts";
import { listChanges, listVersions } from "../../../people/sanctions-lists/index.ts";
import { newestId, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { userActorName } from "../../../tenants/audit/index.ts";
import { listWaitingTokens } from "../../../tenants/operator-tokens/index.ts";
import { may, type Permission, type User } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { findFinanceApproval } from "../../../tenants/user-records/index.ts";
import { changesOfRequest } from "../banks/connections.ts";
import { ruleChangesOf } from "../rules/versions.ts";
import { type Found, lineOf, positionAt } from "./lines.ts";

const company = { name: "", mode: "live" } as const;

/** Who may see which. What users bring to a bank is in `queue.ts`: there can be many. */
const sources: readonly { read: Permission; list: (db: Runner) => Promise<Found[]> }[] = [
  { read: "banks.read", list: bankFiles },
  { read: "banks.read", list: connections },
  { read: "rules.read", list: rules },
  { read: "reviews.read", list: screeningLists },
  { read: "users.read", list: financeApproval },
  { read: "users.read", list: operatorTokens },
];

/** What the user may see. */
export async function listOfCompany(db: Runner, user: User): Promise<Found[]> {
  const found: Found[] = [];
  for (const { read, list } of sources) if (may(user, read)) found.push(...(await list(db)));
  return found;
}

async function bankFiles(db: Runner): Promise<Found[]> {
  const open = await listBatches(db, {
    statuses: openStatuses,
    beforeId: newestId,
    limit: limits.bankBatchesListedMax,
  });
  const waiting = open.filter(({ status, discard_by }) => status === "frozen" || discard_by !== "");
  if (waiting.length === 0) return [];
  const connections = new Map((await listConnections(db)).map((row) => [row.id, row]));
  return waiting.map((row) => {
    const connection = connections.get(row.connection_id);
    const { name = "", mode = "live", account_tail = "" } = connection ?? {};
    const isDiscard = row.discard_by !== "";
    const kind = isDiscard ? "bank_discard" : "bank_file";
    const by = isDiscard ? row.discard_by : row.frozen_by;
    const atMs = isDiscard ? Number(row.discard_asked_at_ms) : Number(row.frozen_at_ms);
    const line = {
      ...lineOf({ kind, id: row.id, by, atMs }),
      cutoff: Number(row.cutoff_ms),
      // A file does not expire: it is late.
      ...(!isDiscard && { expires_at: null }),
      file: {
        connection_name: name,
        file_name: row.file_name,
        process_date: row.process_date,
        payouts: row.payouts,
        total: toSum(BigInt(row.total)),
        currency: row.currency,
        account: `…${account_tail}`,
        sha256: row.file_sha256,
        approved_by: row.approved_by,
        approvals_missing: connection ? approvalsMissing(row, connection) : 0,
      },
    };
    return {
      line,
      position: positionAt(atMs, row.id),
      makers: isDiscard ? [by] : [by, ...row.approved_by],
      permission: isDiscard ? "banks.release" : "banks.approve",
      company: { name, mode },
    };
  });
}

async function connections(db: Runner): Promise<Found[]> {
  const requests = await listConnectionRequests(db);
  if (requests.length === 0) return [];
  const modes = new Map((await listConnections(db)).map(({ name, mode }) => [name, mode]));
  return requests.map((request) => {
    const { id, kind: verb, name, made_by: by, made_at_ms: atMs, after } = request;
    const changes = changesOfRequest(request);
    return {
      line: {
        ...lineOf({ kind: "bank_connection", id, by, atMs }),
        request: { object: name, verb, note: "", changes },
      },
      position: id,
      makers: [by],
      permission: "banks.write",
      company: { name, mode: modes.get(name) ?? (after.mode === "test" ? "test" : "live") },
    };
  });
}

async function rules(db: Runner): Promise<Found[]> {
  const proposed = (await listRuleSets(db, { limit: limits.rowsMax })).filter(
    ({ status }) => status === "proposed",
  );
  const found: Found[] = [];
  for (const row of proposed) {
    const { version, made_by: by, made_at_ms: atMs, note } = row;
    const changes = (await ruleChangesOf(db, row)).map((change) => ({
      field: change.kind,
      before: change.before,
      after: change.after,
    }));
    found.push({
      line: {
        ...lineOf({ kind: "rules", id: String(version), by, atMs }),
        request: { object: String(version), verb: "change", note, changes },
      },
      position: positionAt(atMs, String(version)),
      makers: [by],
      permission: "rules.approve",
      company,
    });
  }
  return found;
}

async function screeningLists(db: Runner): Promise<Found[]> {
  const waiting = await listVersions(db, ["waiting"], limits.rowsMax);
  // Only a removal waits.
  const embargo = waiting.find(({ list }) => list === "embargo");
  const page = { kind: "removed", afterKey: "", limit: limits.rowsMax } as const;
  const ended = embargo ? await listChanges(db, embargo, page) : [];
  const countries = ended.map(({ key, before }) => `${before?.names[0]?.text} (${key})`).join(", ");
  return waiting.map((version) => {
    const { id, list, made_by: by, at_ms: atMs, first_approved_by: first } = version;
    const counts = { added: version.added, changed: version.changed, removed: version.removed };
    return {
      line: {
        ...lineOf({ kind: "screening_list", id, by, atMs }),
        request: {
          object: list === "embargo" ? countries : list,
          verb: list === "embargo" ? list : version.published_day,
          note: "",
          changes: Object.entries(counts).map(([field, count]) => ({
            field,
            before: "",
            after: String(count),
          })),
        },
      },
      position: id,
      makers: first === "" ? [by] : [by, first],
      permission: "receivers.review",
      company,
    };
  });
}

async function financeApproval(db: Runner): Promise<Found[]> {
  const { asked_by: by, asked_at_ms: atMs } = await findFinanceApproval(db);
  if (by === null) return [];
  return [
    {
      line: lineOf({ kind: "finance_approval", id: "finance", by, atMs: atMs ?? 0 }),
      position: positionAt(atMs ?? 0, ""),
      makers: [by],
      permission: "users.write",
      company,
    },
  ];
}

async function operatorTokens(db: Runner): Promise<Found[]> {
  const waiting = await listWaitingTokens(db, Date.now());
  const ids = waiting.flatMap(({ subaccount_ids }) => subaccount_ids ?? []);
  const names = new Map(
    (await findSubaccounts(db, ids)).map((one) => [one.id, `${one.name} (${one.mode})`]),
  );
  return waiting.map((token) => {
    const { id, name, role, addresses, subaccount_ids } = token;
    const [by, atMs] = [userActorName(token), token.created_at.getTime()];
    const facts = {
      role,
      subaccounts: subaccount_ids?.map((one) => names.get(one)).join(", ") ?? "All, test and live",
      addresses: addresses.join(", ") || "Any",
      expires_at: token.expires_at.toISOString(),
    };
    const changes = Object.entries(facts).map(([field, after]) => ({ field, before: "", after }));
    return {
      line: {
        ...lineOf({ kind: "token", id, by, atMs }),
        request: { object: name, verb: "add", note: "", changes },
      },
      position: id,
      makers: [by],
      permission: "users.write",
      company,
    };
  });
}
