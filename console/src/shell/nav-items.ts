// The navigation: each page, its icon, and who sees it.

import type { Me, Permission } from "../api/me.ts";
import {
  ArrowLeftRight,
  BookOpen,
  BookText,
  ClipboardCheck,
  type Icon,
  KeyRound,
  Landmark,
  LayoutDashboard,
  ListChecks,
  ListFilter,
  Rocket,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  UserCog,
  Users,
  Wallet,
  Webhook,
} from "../parts/icons.tsx";
import { shellTexts } from "../texts/shell.ts";

export type Badge = "reviews" | "approvals";

export type NavItem = {
  label: string;
  icon: Icon;
  /** The path below the subaccount, or below /console for pages across subaccounts. */
  page?: string;
  to?: string;
  /** Leaves the console. */
  href?: string;
  needs?: Permission;
  /** Not for a developer, who sees some subaccounts alone. */
  acrossOnly?: boolean;
  badge?: Badge;
};

export const navGroups: readonly { label?: string; items: readonly NavItem[] }[] = [
  {
    items: [
      { label: "Overview", icon: LayoutDashboard, page: "overview" },
      { label: shellTexts.payouts, icon: ArrowLeftRight, page: "payouts" },
      { label: shellTexts.receivers, icon: Users, page: "receivers" },
      { label: "Balances", icon: Wallet, page: "balances" },
      {
        label: "Review queue",
        icon: ShieldCheck,
        to: "/reviews",
        needs: "reviews.read",
        acrossOnly: true,
        badge: "reviews",
      },
      {
        label: "Approvals",
        icon: ClipboardCheck,
        to: "/approvals",
        needs: "approvals.read",
        acrossOnly: true,
        badge: "approvals",
      },
      {
        label: "Rules",
        icon: ListChecks,
        to: "/rules",
        needs: "rules.read",
        acrossOnly: true,
      },
      {
        label: "Sanctions lists",
        icon: ListFilter,
        to: "/screening",
        needs: "reviews.read",
        acrossOnly: true,
      },
      {
        label: "Banks",
        icon: Landmark,
        to: "/banks",
        needs: "banks.read",
        acrossOnly: true,
      },
      {
        label: "Reconcile",
        icon: Scale,
        to: "/reconcile",
        needs: "banks.read",
        acrossOnly: true,
      },
      { label: "Webhooks", icon: Webhook, page: "webhooks" },
      { label: shellTexts.apiRequests, icon: SquareTerminal, page: "requests" },
      { label: "Books", icon: BookText, page: "reconcile" },
    ],
  },
  {
    label: "Developers",
    items: [
      { label: "API keys", icon: KeyRound, page: "keys" },
      { label: "Docs", icon: BookOpen, href: "/docs" },
    ],
  },
  {
    label: "Organisation",
    items: [
      { label: "Settings", icon: Settings, page: "settings" },
      {
        label: "Users",
        icon: UserCog,
        to: "/users",
        needs: "users.read",
        acrossOnly: true,
      },
      {
        label: "Audit log",
        icon: ScrollText,
        to: "/audit",
        needs: "audit.read",
        acrossOnly: true,
      },
      { label: "Quickstart", icon: Rocket, page: "quickstart" },
    ],
  },
];

export function isSeen({ needs, acrossOnly }: NavItem, me: Me): boolean {
  if (acrossOnly && me.role === "developer") return false;
  return needs === undefined || me.permissions.includes(needs);
}
