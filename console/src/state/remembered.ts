// The choices that this browser keeps for a user. Works also where storage is blocked.

type Choice = "subaccount" | "zone" | "review-keys" | "quickstart";

export const remembered = {
  get: (choice: Choice) => kept(() => localStorage.getItem(`disburse-${choice}`)),
  set: (choice: Choice, value: string) =>
    kept(() => localStorage.setItem(`disburse-${choice}`, value)),
};

const nextKey = "disburse-next";

/** The page to return to after signing in with the company's identity provider. */
export const wayBack = {
  set: (next: string) => kept(() => sessionStorage.setItem(nextKey, next)),
  take: () =>
    kept(() => {
      const next = sessionStorage.getItem(nextKey);
      sessionStorage.removeItem(nextKey);
      return next;
    }),
};

const reloadKey = "disburse-reloaded";
const reloadGapMs = 30_000;

/** Reloading the document for a new version: not a second time right after, or it would go on for ever. */
export const reloads = {
  /** Also remembers that it happens now. */
  mayReload: () =>
    kept(() => {
      const lastMs = Number(sessionStorage.getItem(reloadKey) ?? 0);
      if (Date.now() - lastMs < reloadGapMs) return false;
      sessionStorage.setItem(reloadKey, String(Date.now()));
      return true;
    }) ?? false,
};

const draftKey = "disburse-draft-";

/** Unfinished forms of a user: kept in this tab until they are sent, or another user signs in. `drafts.ts` reads them. */
export const drafts = {
  get: (name: string) => kept(() => sessionStorage.getItem(draftKey + name)),
  set: (name: string, value: string) => kept(() => sessionStorage.setItem(draftKey + name, value)),
  remove: (name: string) => kept(() => sessionStorage.removeItem(draftKey + name)),
  /** Their names start with the user's ID. */
  removeOfOthers: (userId: string) =>
    kept(() => {
      const names = Object.keys(sessionStorage).filter(
        (name) => name.startsWith(draftKey) && !name.startsWith(draftKey + userId),
      );
      for (const name of names) sessionStorage.removeItem(name);
    }),
};

function kept<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
