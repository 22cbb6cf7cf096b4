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

function kept<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
