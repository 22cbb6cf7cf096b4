// The fields of the form for a new payout.

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
