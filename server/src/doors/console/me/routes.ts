// GET /console/api/me: the signed-in user

import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { may, type Permission, permissions } from "../../../tenants/roles/index.ts";
import { listOldest } from "../../../tenants/subaccounts/index.ts";
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
