// The pages in the navigation and in the organisation's menu: name, address, permission, and the words that people use.
// search-items.ts has the rest of the table. Navigation, search, headings and the mark of company pages read it.

import {
  ArrowLeftRight,
  BookOpen,
  BookText,
  Bot,
  Calendar,
  CircleAlert,
  CircleHelp,
  ClipboardCheck,
  FileText,
  FileUp,
  KeyRound,
  Landmark,
  Layers,
  LayoutDashboard,
  ListChecks,
  ListFilter,
  Lock,
  Rocket,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  UserCog,
  Users,
  Wallet,
  Webhook,
} from "../parts/icons.tsx";
import type { Page } from "./pages.ts";

export const overviewPage: Page = {
  label: "Overview",
  icon: LayoutDashboard,
  to: "overview",
  words: "home dashboard figures charts attention",
};

export const quickstartPage: Page = {
  label: "Quickstart",
  icon: Rocket,
  to: "quickstart",
  words: "first steps begin tutorial getting started",
};

export const navGroups: readonly { label: string; pages: readonly Page[] }[] = [
  {
    label: "Pay",
    pages: [
      {
        label: "Payouts",
        icon: ArrowLeftRight,
        to: "payouts",
        words: "payments transfers paid sent receipt cancel",
      },
      {
        label: "Batches",
        title: "Imports and batches",
        icon: Layers,
        to: "batches",
        words: "bulk runs past files uploaded",
      },
      {
        label: "Imports",
        title: "Import payouts",
        icon: FileUp,
        to: "payouts/import",
        covers: ["receivers/import", "accounts/import"],
        needs: "payouts.create",
        words: "csv upload file spreadsheet excel xlsx many bulk pay",
        needsOpen: true,
      },
      {
        label: "Receivers",
        icon: Users,
        to: "receivers",
        words: "payees beneficiaries recipients people persons suppliers customers disable freeze",
      },
    ],
  },
  {
    label: "Money",
    pages: [
      {
        label: "Balances",
        icon: Wallet,
        to: "balances",
        words: "funds money available held cash account",
      },
      {
        label: "Books",
        icon: BookText,
        to: "reconcile",
        words: "ledger accounting entries journal close month end subaccount statement monthly pdf",
      },
    ],
  },
  {
    label: "Control",
    pages: [
      {
        label: "Approvals",
        icon: ClipboardCheck,
        to: "/approvals",
        needs: "approvals.read",
        badge: "approvals",
        words: "approve decline waiting second user four eyes sign off",
      },
      {
        label: "Review queue",
        icon: ShieldCheck,
        to: "/reviews",
        needs: "reviews.read",
        badge: "reviews",
        words: "identity kyc checks screening sanctions hits holds cases compliance clear",
      },
      {
        label: "Rules",
        icon: ListChecks,
        to: "/rules",
        needs: "rules.read",
        words: "fraud risk velocity block stop hold backtest",
      },
      {
        label: "Sanctions lists",
        icon: ListFilter,
        to: "/screening",
        needs: "reviews.read",
        words: "screening ofac un dfat embargo country countries version import watchlist",
      },
    ],
  },
  {
    label: "Banks",
    pages: [
      {
        label: "Files",
        title: "Bank files",
        icon: Landmark,
        to: "/banks",
        needs: "banks.read",
        words:
          "connections freeze stop tonight release send discard cut-off cutoff payment aba nacha sepa",
      },
      {
        label: "Statements",
        title: "Bank statements",
        icon: FileText,
        to: "/reconcile/statements",
        needs: "banks.read",
        words: "camt mt940 bai2 lines",
        covers: ["/reconcile"],
      },
      {
        label: "Exceptions",
        icon: CircleAlert,
        to: "/reconcile/exceptions",
        needs: "banks.read",
        words: "unmatched differences unidentified credits open lines match",
      },
      {
        label: "Suspense",
        icon: CircleHelp,
        to: "/banks/suspense",
        needs: "banks.read",
        words: "unknown unidentified reports",
      },
      {
        label: "Months",
        icon: Lock,
        to: "/reconcile/closings",
        needs: "banks.read",
        words: "close closed closing month end period",
      },
      {
        label: "Calendar",
        icon: Calendar,
        to: "/banks/calendar",
        needs: "banks.read",
        words: "holidays weekends banking days cut-off cutoff",
      },
    ],
  },
  {
    label: "Developers",
    pages: [
      {
        label: "Webhooks",
        icon: Webhook,
        to: "webhooks",
        words: "events deliveries endpoint url postback test secret change failed",
      },
      {
        label: "Requests",
        title: "API requests",
        icon: SquareTerminal,
        to: "requests",
        words: "log calls http",
      },
      {
        label: "Keys",
        title: "API keys",
        icon: KeyRound,
        to: "keys",
        words: "token secret credentials revoke rotate",
      },
      {
        label: "Docs",
        title: "Documentation",
        icon: BookOpen,
        to: "/docs",
        isAway: true,
        words: "docs api reference guide help manual",
      },
    ],
  },
];

/** The menu of the organisation, at the foot of the navigation. */
export const organisationPages: readonly Page[] = [
  { label: "Settings", icon: Settings, to: "settings", words: "configuration options" },
  {
    label: "Users",
    icon: UserCog,
    to: "/users",
    needs: "users.read",
    words: "team people members colleagues roles permissions",
  },
  {
    label: "Operator tokens",
    icon: Bot,
    to: "/tokens",
    needs: "users.read",
    words: "api program programs automation ci bearer script machine service account",
  },
  {
    label: "Audit log",
    icon: ScrollText,
    to: "/audit",
    needs: "audit.read",
    words: "activity history changes who did verify chain sign-ins",
  },
  quickstartPage,
];
