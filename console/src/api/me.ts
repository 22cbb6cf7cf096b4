// The signed-in user, their permissions, and the current subaccount.

import type { Me } from "@server/doors/console/me/schema.ts";
import type { Permission } from "@server/tenants/roles/user.ts";
import { useParams } from "@tanstack/react-router";
import { remembered } from "../state/remembered.ts";
import { meQuery, useMe } from "./me-query.ts";
import { type Subaccount, useSubaccountOf } from "./subaccounts.ts";

export type { Me, Permission, Subaccount };
export { meQuery, useMe };

/** Hides what a role may not do. The server decides for itself. */
export function useMay(permission: Permission): boolean {
  return useMe().permissions.includes(permission);
}

/** Sees the pages across subaccounts: reviews, approvals, audit, users. */
export function seesAll({ role }: Pick<Me, "role">): boolean {
  return role !== "developer";
}

/** The one in the address, else the last used one, else the first. Undefined: there is none yet. */
export function useCurrentSubaccount(): Subaccount | undefined {
  const { subaccounts } = useMe();
  const framed = useFramedSubaccount();
  const last = useSubaccountOf(remembered.get("subaccount") ?? undefined);
  return framed ?? last ?? firstOf(subaccounts);
}

/** The one in the address. Undefined on pages across all subaccounts, which must not look like one of them. */
export function useFramedSubaccount(): Subaccount | undefined {
  const { subaccountId } = useParams({ strict: false });
  return useSubaccountOf(subaccountId);
}

export function firstOf(subaccounts: readonly Subaccount[]): Subaccount | undefined {
  return subaccounts.find(({ is_closed }) => !is_closed) ?? subaccounts[0];
}

/** For screens below /s/…, which exist only for a subaccount that the user can see. */
export function useSubaccount(): Subaccount {
  const subaccount = useCurrentSubaccount();
  if (!subaccount) throw new Error("no current subaccount");
  return subaccount;
}

/** The address of a page of the current subaccount: `pageOf("payouts", id)`. */
export function usePageOf(): (...parts: string[]) => string {
  const { id } = useSubaccount();
  return (...parts) => `/s/${[id, ...parts].map(encodeURIComponent).join("/")}`;
}

/** An API path of the current subaccount: `apiOf("/payouts")`. */
export function useApiOf(): (path: string) => string {
  const { id } = useSubaccount();
  return (path) => `/s/${id}${path}`;
}
