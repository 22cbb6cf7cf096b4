// A page of the console, a tab or an action: who sees it, where it is, and whose it is. Pure.

import type { Permission } from "@server/tenants/roles/user.ts";
import type { Icon } from "../parts/icons.tsx";

export type Badge = "reviews" | "approvals";

export type Page = {
  label: string;
  icon: Icon;
  /** Below /console if it starts with a slash: a page of the company. Otherwise below the current subaccount. */
  to: string;
  /** Its heading and its name in the search, where the navigation has a shorter one. */
  title?: string;
  /** Default: every role. */
  needs?: Permission;
  /** What people call it, and what they want there. The search finds it by the starts of these words. */
  words?: string;
  /** Addresses of pages that belong to it. */
  covers?: readonly string[];
  badge?: Badge;
  /** Leaves the console. */
  isAway?: boolean;
  /** For everyone the same as for the user: neither of the company nor of a subaccount. */
  isOwn?: boolean;
  /** Not in a closed subaccount. */
  needsOpen?: boolean;
  /** Only in a subaccount in test mode. */
  isTestOnly?: boolean;
};

/** A user, as far as pages are concerned. */
export type Permitted = { permissions: readonly string[] };

export type InSubaccount = { id: string; mode: string; is_closed: boolean } | undefined;

export function isSeen(
  { to, needs, needsOpen, isTestOnly }: Page,
  { permissions }: Permitted,
  subaccount: InSubaccount,
): boolean {
  if (needs !== undefined && !permissions.includes(needs)) return false;
  if (to.startsWith("/")) return true;
  if (!subaccount || (needsOpen && subaccount.is_closed)) return false;
  return !isTestOnly || subaccount.mode === "test";
}

/** The address below /console. What is outside of it learns which subaccount is open: behind the "#", which no server sees. */
export function addressIn({ to, isAway }: Page, subaccount: InSubaccount): string {
  if (isAway && subaccount) return `${to}#subaccount=${subaccount.id}`;
  return to.startsWith("/") ? to : `/s/${subaccount?.id}/${to}`;
}

export function isOfCompany({ to, isOwn, isAway }: Page): boolean {
  return to.startsWith("/") && !isOwn && !isAway;
}

/** The page among these that an address below /console belongs to. */
export function pageAt(pathname: string, pages: readonly Page[]): Page | undefined {
  const address = pathname.replace(/^\/s\/[^/]+\//, "");
  const isBelow = (to: string) => address === to || address.startsWith(`${to}/`);
  const reach = ({ to, covers = [] }: Page) =>
    // What covers an address gives way to the page that has it.
    Math.max(
      isBelow(to) ? to.length + 1 : 0,
      ...covers.map((one) => (isBelow(one) ? one.length : 0)),
    );
  const [best] = pages.filter(reach).toSorted((a, b) => reach(b) - reach(a));
  return best;
}

export const pageTitle = ({ label, title }: Page): string => title ?? label;
