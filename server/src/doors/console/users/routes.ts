// /console/api/users: the users of the console and their roles. Only admins change them.

import type { Api } from "../../../platform/http/index.ts";
import {
  findFinanceApproval,
  listSessions,
  listUnconfirmedUsers,
  listUsers,
} from "../../../tenants/user-records/index.ts";
import {
  allowFinance,
  changeUser,
  confirmUser,
  endSessionsOf,
  inviteUser,
  linkOf,
  resetUser,
} from "../../../tenants/users/index.ts";
import { sessionRow } from "../account/present.ts";
import { SessionList } from "../account/schema.ts";
import { actRoute } from "../act-route.ts";
import { idIn } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { presentUser } from "./present.ts";
import { MadeLink, UserList } from "./schema.ts";

type UserScreenParts = WriteParts & { consoleUrl: () => string };

const path = "/console/api/users";
const reading = { may: "users.read" } as const;

export function userRoutes(api: Api, parts: UserScreenParts): void {
  const { db, clock, consoleUrl } = parts;

  api.get(
    path,
    { config: reading, schema: { response: { 200: UserList } } },
    async ({ access }) => {
      const rows = await listUsers(db, clock());
      const finance = await findFinanceApproval(db);
      const unconfirmed = new Map(
        (await listUnconfirmedUsers(db)).map(({ id, granted_by }) => [id, granted_by] as const),
      );
      const yourId = access.user.id;
      return {
        rows: rows.map((row) =>
          presentUser(row, { yourId, grantedBy: unconfirmed.get(row.id) ?? [] }),
        ),
        finance,
      };
    },
  );

  const showLink = {
    response: MadeLink,
    answer: ({ id, token, expires_at }: { id: string; token: string; expires_at: number }) => ({
      id,
      link: linkOf(consoleUrl(), token),
      expires_at,
    }),
  };
  actRoute(api, parts, `PUT ${path}/finance-approval`, allowFinance);
  actRoute(api, parts, `POST ${path}/invite`, inviteUser, showLink);
  actRoute(api, parts, `PATCH ${path}/:id`, changeUser);
  actRoute(api, parts, `POST ${path}/:id/reset`, resetUser, showLink);
  actRoute(api, parts, `POST ${path}/:id/confirm`, confirmUser);
  actRoute(api, parts, `DELETE ${path}/:id/sessions`, endSessionsOf);

  api.get(
    `${path}/:id/sessions`,
    { config: reading, schema: { response: { 200: SessionList } } },
    async ({ access, params }) => {
      const rows = await listSessions(db, { userId: idIn(params), nowMs: clock() });
      return { rows: rows.map((row) => sessionRow(row, access.session.id)) };
    },
  );
}
