// The few choices that this browser keeps for a person. A browser that keeps nothing is fine as well.

type Choice = "subaccount" | "zone" | "review-keys";

export const remembered = {
  get: (choice: Choice) => kept(() => localStorage.getItem(`disburse-${choice}`)),
  set: (choice: Choice, value: string) =>
    kept(() => localStorage.setItem(`disburse-${choice}`, value)),
};

const nextKey = "disburse-next";

/** Where a person wanted to go, over the way to the company's log-in and back. */
export const wayBack = {
  set: (next: string) => kept(() => sessionStorage.setItem(nextKey, next)),
  take: () =>
    kept(() => {
      const next = sessionStorage.getItem(nextKey);
      sessionStorage.removeItem(nextKey);
      return next;
    }),
};

const draftKey = "disburse-draft-";

/** What was typed into a form and not sent yet: kept in this tab, until it is sent or the user signs out. */
export const drafts = {
  get: (name: string) => kept(() => sessionStorage.getItem(draftKey + name)),
  set: (name: string, value: string) => kept(() => sessionStorage.setItem(draftKey + name, value)),
  remove: (name: string) => kept(() => sessionStorage.removeItem(draftKey + name)),
  removeAll: () =>
    kept(() => {
      const names = Object.keys(sessionStorage).filter((name) => name.startsWith(draftKey));
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
