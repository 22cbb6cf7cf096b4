// /console/api/tokens: the tokens with which programs call /operator/v1. Admins make and revoke them, only in a browser.

import type { Api } from "../../../platform/http/index.ts";
import { userActorName } from "../../../tenants/audit/index.ts";
import {
  approveOperatorToken,
  createOperatorToken,
  endedBecause,
  isWeighty,
  listTokens,
  revokeOperatorToken,
  type TokenRow,
} from "../../../tenants/operator-tokens/index.ts";
import { roles } from "../../../tenants/roles/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { type OperatorToken, OperatorTokens } from "./schema.ts";

const path = "/console/api/tokens";

export function tokenRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  api.get(
    path,
    {
      config: { may: "users.read", tokens: "none" },
      schema: { response: { 200: OperatorTokens } },
    },
    async () => ({
      rows: (await listTokens(db)).map((row) => presentToken(row, clock())),
      roles_that_wait: roles.filter(isWeighty),
    }),
  );
  actRoute(api, parts, `POST ${path}`, createOperatorToken);
  actRoute(api, parts, `POST ${path}/:id/approve`, approveOperatorToken);
  for (const way of ["revoke", "decline"]) {
    actRoute(api, parts, `POST ${path}/:id/${way}`, revokeOperatorToken);
  }
}

function presentToken(row: TokenRow, nowMs: number): OperatorToken {
  const { id, name, role, subaccount_ids, addresses } = row;
  const ended = endedBecause(row, nowMs);
  return {
    ...{ id, name, role, subaccount_ids, addresses },
    made_by: userActorName(row),
    created_at: row.created_at.getTime(),
    expires_at: row.expires_at.getTime(),
    last_used_at: row.last_used_at?.getTime() ?? null,
    status: ended ? "ended" : row.awaiting_approval ? "waiting" : "active",
    ended_because: ended ?? null,
  };
}
