// The totals of payouts by mode and currency: test money is never added to real money.

type Row = { mode: string; payout?: { currency: string; amount: number } | null };

type Total = { mode: string; currency: string; amount: number; count: number };

export function totalsOf(rows: readonly Row[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { payout, mode } of rows) {
    if (!payout) continue;
    const { currency, amount } = payout;
    // "live" comes before "test" also when sorted.
    const key = `${mode} ${currency}`;
    const before = totals.get(key) ?? { mode, currency, amount: 0, count: 0 };
    totals.set(key, { ...before, amount: before.amount + amount, count: before.count + 1 });
  }
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}
