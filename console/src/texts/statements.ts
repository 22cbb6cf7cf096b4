// Shared texts of the screens below statements/: Reconcile.

export const statementsTexts = {
  reconcile: "Reconcile",
  toStatements: "Statements",
  toClosings: "Closed months",
  openMonths: "Open months",

  money: "Where the money is",
  figures: {
    available: "Available",
    held: "Held",
    in_transit: "In transit",
    suspense: "Suspense",
    fees: "Fees",
    company: "Company",
  },
  noStatement: "no statement yet",
  books: "Books",
  bank: "Bank",
  difference: "Difference",
  openLines: "Open lines",

  inTransitItems: "In transit",
  day: "Day",
  amount: "Amount",
  line: "Statement line",
  suggestion: "Suggestion",
  confirm: "Confirm",
  suggestions: {
    company: "Bank charge: company's own money",
    batch: "Bank file",
    payout: "Payout",
  } as Record<string, string>,

  details: "Details",
  statement: "Statement",
  openSuspense: "Open suspense item",
  by: (who: string) => `by ${who}`,
  suggestedMatches: "What it may be",

  exceptions: "Exceptions",
  owner: "Owner",
  editNote: "Edit",
  period: "Period",
  opening: "Opening",
  closing: "Closing",
  lineCount: "Lines",
  repeated: "Known before",
  received: "Received",
  pdf: "PDF",
  csv: "CSV",
  subaccount: "Subaccount",
  companyMoney: "The company's own money",
} as const;

/** "same amount and reference" */
export function reasonsText(reasons: readonly string[]): string {
  const same = reasons.filter((one) => one.startsWith("same ")).map((one) => one.slice(5));
  const last = same.at(-1);
  const sames = same.length > 1 ? `${same.slice(0, -1).join(", ")} and ${last}` : last;
  const others = reasons.filter((one) => !one.startsWith("same "));
  return [...(sames ? [`same ${sames}`] : []), ...others].join(", ");
}
