// What the console has on its left: each page, its icon, and who sees it.

import {
  ArrowLeftRight,
  BookOpen,
  ClipboardCheck,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  UserCog,
  Users,
  Webhook,
} from "lucide-react";
import type { Me, Permission } from "../api/me.ts";

export type Badge = "reviews" | "approvals";

export type NavItem = {
  label: string;
  icon: LucideIcon;
  /** Of a subaccount's page; or of one across them. */
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
      { label: "Payouts", icon: ArrowLeftRight, page: "payouts" },
      { label: "Receivers", icon: Users, page: "receivers" },
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
      { label: "Webhooks", icon: Webhook, page: "webhooks" },
      { label: "API requests", icon: SquareTerminal, page: "requests" },
      { label: "Reconcile", icon: Scale, page: "reconcile" },
    ],
  },
  {
    label: "Developers",
    items: [
      { label: "Keys", icon: KeyRound, page: "keys" },
      { label: "Quickstart", icon: Rocket, page: "quickstart" },
      { label: "Docs", icon: BookOpen, href: "/docs" },
    ],
  },
  {
    label: "Organisation",
    items: [
      { label: "Settings", icon: Settings, page: "settings" },
      { label: "People", icon: UserCog, to: "/people", needs: "people.read", acrossOnly: true },
      { label: "Audit", icon: ScrollText, to: "/audit", needs: "audit.read", acrossOnly: true },
    ],
  },
];

export function isSeen({ needs, acrossOnly }: NavItem, me: Me): boolean {
  if (acrossOnly && me.role === "developer") return false;
  return needs === undefined || me.permissions.includes(needs);
}
