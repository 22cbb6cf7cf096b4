// The body of the event about a new payout.

type NewPayout = {
  id: string;
  subaccountId: string;
  receiverId: string;
  accountId: string;
  amount: bigint;
  currency: string;
  reference: string;
  createdAtMs: number;
};

export function payoutCreatedBody(payout: NewPayout): string {
  return JSON.stringify({
    event: "payoutCreated",
    amount: Number(payout.amount),
    currency: payout.currency,
    payout_id: payout.id,
    receiver_account_id: payout.accountId,
    receiver_id: payout.receiverId,
    reference: payout.reference,
    status: "pending",
    subccount_id: payout.subaccountId, // Sic: the published interface spells it so.
    timestamp: payout.createdAtMs,
  });
}
