// The few choices that this browser keeps for a person. A browser that keeps nothing is fine as well.

type Choice = "subaccount" | "zone" | "review-keys";

export const remembered = {
  get(choice: Choice): string | null {
    try {
      return localStorage.getItem(`disburse-${choice}`);
    } catch {
      return null;
    }
  },
  set(choice: Choice, value: string): void {
    try {
      localStorage.setItem(`disburse-${choice}`, value);
    } catch {
      // Then it lasts as long as the page.
    }
  },
};
