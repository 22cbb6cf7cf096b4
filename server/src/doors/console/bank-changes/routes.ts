// POST /console/api/s/<id>/accounts, PATCH …/accounts/<id>: a user proposes bank details, and
// GET …/bank-changes, POST …/bank-changes/<id>/approve and /decline: a second user decides

import {
  type AddedAccount,
  addAccount,
  approveBankChange,
  type BankChange,
  changeBankDetails,
  listBankChanges,
  rejectBankChange,
  revealBankChange,
} from "../../../people/accounts/index.ts";
import { maskedNumber } from "../../../people/person/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import { newestId } from "../../../platform/base/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import type { WriteParts } from "../write-parts.ts";
import {
  BankChangeLine,
  BankChangeQuery,
  DecidedChange,
  ProposedChange,
  RevealedChange,
} from "./schema.ts";

const path = "/console/api/s/:subaccountId";

export function bankChangeRoutes(api: Api, parts: WriteParts & { screener: Screener }): void {
  const { db, seal } = parts;

  const proposed = {
    response: ProposedChange,
    answer: ({ change_id, status, warnings }: AddedAccount) => ({ change_id, status, warnings }),
  };
  actRoute(api, parts, `POST ${path}/accounts`, addAccount, proposed);
  actRoute(api, parts, `PATCH ${path}/accounts/:id`, changeBankDetails, proposed);

  listRoute(api, `${path}/bank-changes`, {
    query: BankChangeQuery,
    row: BankChangeLine,
    sizeMax: limits.consolePageMax,
    find({ subaccountId, query: { receiver_id: receiverId, cursor: beforeId = newestId }, limit }) {
      return listBankChanges({ db, seal }, { subaccountId, receiverId, beforeId, limit });
    },
    present: (rows) => rows.map(toLine),
  });

  const change = `POST ${path}/bank-changes/:id`;
  actRoute(api, parts, `${change}/reveal`, revealBankChange, { response: RevealedChange });
  const decided = { response: DecidedChange };
  actRoute(api, parts, `${change}/approve`, approveBankChange, decided);
  actRoute(api, parts, `${change}/decline`, rejectBankChange, decided);
}

function toLine(change: BankChange): BankChangeLine {
  const { id, receiverId, accountId, accountVersion, proposal, tail, country } = change;
  return {
    id,
    receiver_id: receiverId,
    account_id: accountId,
    is_new: accountVersion === null,
    account_number: maskedNumber(tail),
    country,
    changes: proposal?.changes ?? [],
    is_unreadable: proposal === undefined,
    made_by: change.madeBy,
    made_at: change.madeAtMs,
    status: change.status,
    decided_by: change.decidedBy,
    decided_at: change.decidedAtMs,
    reason: change.reason,
  };
}
