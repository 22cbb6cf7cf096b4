// Why a payout is on hold. Only users see it: a caller is told `review`.

export type HoldReason =
  | { kind: "rule"; rule_id: string; version: number }
  | { kind: "screening"; hit_id?: string };
