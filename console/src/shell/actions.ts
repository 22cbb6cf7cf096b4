// What the search offers to do: each action, its icon, and who may do it.

import type { Me, Permission } from "../api/me.ts";
import { FileUp, type Icon, KeyRound, Plus, UserRoundPlus } from "../parts/icons.tsx";
import { shellTexts } from "../texts/shell.ts";
import { isSeen, navGroups } from "./nav-items.ts";

export type PaletteEntry = {
  label: string;
  icon: Icon;
  /** The address below /console. */
  address: string;
  /** Other words by which it is found. */
  words: string;
};

type Action = Omit<PaletteEntry, "address"> & {
  /** The address below the subaccount, or below /console. */
  page?: string;
  to?: string;
  needs: Permission;
};

const actions: readonly Action[] = [
  {
    label: "New payout",
    icon: Plus,
    page: "payouts/new",
    needs: "payouts.create",
    words: "create pay send money",
  },
  {
    label: "Import payouts",
    icon: FileUp,
    page: "payouts/import",
    needs: "payouts.create",
    words: shellTexts.wordsOfImport,
  },
  {
    label: "New receiver",
    icon: UserRoundPlus,
    page: "receivers/new",
    needs: "receivers.write",
    words: "create add payee person",
  },
  {
    label: "Import receivers",
    icon: FileUp,
    page: "receivers/import",
    needs: "receivers.write",
    words: shellTexts.wordsOfImport,
  },
  {
    label: "Create API key",
    icon: KeyRound,
    page: "keys?open=create",
    needs: "keys.write",
    words: "new add",
  },
  {
    label: "Invite user",
    icon: UserRoundPlus,
    to: "/users?open=invite",
    needs: "users.write",
    words: "new add create team colleague",
  },
];

type Current = { id: string; is_closed: boolean } | undefined;

/** The actions of the user in the current subaccount. Nothing is created in a closed one. */
export function paletteActionsOf(me: Me, subaccount: Current): PaletteEntry[] {
  return actions.flatMap(({ label, icon, page, to, needs, words }) => {
    if (!me.permissions.includes(needs)) return [];
    if (page === undefined) return [{ label, icon, words, address: to as string }];
    if (!subaccount || subaccount.is_closed) return [];
    return [{ label, icon, words, address: `/s/${subaccount.id}/${page}` }];
  });
}

/** The pages that the user sees. */
export function palettePagesOf(me: Me, subaccount: Current): PaletteEntry[] {
  return navGroups
    .flatMap(({ items }) => items)
    .filter((item) => !item.href && isSeen(item, me) && (!item.page || subaccount))
    .map(({ label, icon, page, to }) => ({
      label,
      icon,
      words: "",
      address: page ? `/s/${subaccount?.id}/${page}` : (to as string),
    }));
}

/** Every word that was typed starts a word of the entry. */
export function fitsEntry({ label, words }: PaletteEntry, text: string): boolean {
  const own = `${label} ${words}`.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.some((one) => one.startsWith(word)));
}
