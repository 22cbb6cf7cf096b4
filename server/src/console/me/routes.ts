// GET /console/api/me: the signed-in user

import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/route.ts";
import { limits } from "../../limits.ts";
import { listOldest } from "../../subaccounts/find-queries.ts";
import { may, type Permission, permissions } from "../../users/user.ts";
import { Me } from "./schema.ts";

type MeParts = { db: Db; isQuarantined?: boolean | undefined };

export function meRoutes(api: Api, { db, isQuarantined }: MeParts): void {
  api.get(
    "/console/api/me",
    { config: { may: "read" }, schema: { response: { 200: Me } } },
    async ({ access: { user } }) => {
      const { id, name, email, role } = user;
      const most = limits.subaccountsOfMeMax;
      const first = await listOldest(db, user.subaccountIds, most + 1);
      return {
        id,
        name,
        email,
        role,
        permissions: (Object.keys(permissions) as Permission[]).filter((one) => may(user, one)),
        subaccounts: first.slice(0, most),
        has_more_subaccounts: first.length > most,
        is_quarantined: isQuarantined ?? false,
      };
    },
  );
}
