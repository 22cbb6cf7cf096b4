// Shared texts of the calendar of bank connections.

export const calendarTexts = {
  calendar: "Calendar",
  titleOf: (month: string) => `Banking days, ${month}`,
  payouts: (count: number, text: string) => (count === 1 ? "1 payout" : `${text} payouts`),
} as const;
