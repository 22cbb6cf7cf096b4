// The fields of the form for a new payout. IDs only, no account numbers, because the browser keeps them.

export type PayoutDraft = {
  receiverId: string | null;
  accountId: string | null;
  amount: string;
  currency: string | null;
  reference: string;
  note: string;
  sendOn: string;
  statementReference: string;
  purpose: string;
};

export const blankDraft: PayoutDraft = {
  receiverId: null,
  accountId: null,
  amount: "",
  currency: null,
  reference: "",
  note: "",
  sendOn: "",
  statementReference: "",
  purpose: "",
};

/** Undefined where nothing was typed, or where the draft can't be read. */
export function readDraft(text: string | null): PayoutDraft | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as Record<string, unknown> | null;
    if (!kept) return undefined;
    const fields = Object.entries(blankDraft).map(([name, blank]) => {
      const value = kept[name];
      return [name, typeof value === "string" ? value : blank];
    });
    const draft = Object.fromEntries(fields) as PayoutDraft;
    return Object.values(draft).some((value) => value) ? draft : undefined;
  } catch {
    return undefined;
  }
}
