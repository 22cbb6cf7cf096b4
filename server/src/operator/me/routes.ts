// GET /console/api/me: who is logged in

import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/api.ts";
import { may, type Permission, permissions, sees } from "../../people/person.ts";
import { listSubaccounts } from "../../subaccounts/queries.ts";
import { Me } from "./schema.ts";

export function meRoutes(api: Api, { db }: { db: Db }): void {
  api.get(
    "/console/api/me",
    { config: { may: "read" }, schema: { response: { 200: Me } } },
    async ({ asker: { person } }) => {
      const { id, name, email, role } = person;
      const all = await listSubaccounts(db);
      const seen = all.filter(({ subaccount_id }) => sees(person, subaccount_id));
      return {
        ...{ id, name, email, role },
        permissions: (Object.keys(permissions) as Permission[]).filter((one) => may(person, one)),
        subaccounts: seen.map(({ subaccount_id, name, mode, closed_at }) => ({
          ...{ id: subaccount_id, name, mode },
          is_closed: closed_at !== null,
        })),
      };
    },
  );
}
