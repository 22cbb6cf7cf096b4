// Texts of lists: sorting, columns, selection, and acts on several rows.

import { countText } from "../state/locale.ts";

const countOf = (count: number) => countText(count);

export const listsTexts = {
  removeAFilter: "Remove a filter to see more.",
  sort: "Sort",
  sortBy: (title: string) => `Sort by ${title}`,
  ascending: "ascending",
  descending: "descending",
  sortedAmong: (count: number, rows: string) =>
    `Sorted among the newest ${countOf(count)} matching ${rows}. Narrow the filters to sort all of them.`,
  sorted: { payouts: "payouts", requests: "requests", entries: "entries" },
  views: "Views",
  noViews: "No saved views yet",
  saveView: "Save this view",
  viewName: "Name",
  save: "Save",
  viewSaved: (name: string) => `View “${name}” saved`,
  deleteView: (name: string) => `Delete the view ${name}`,
  viewKeeps: "Filters, sort and columns. Names, emails and references are not saved.",
  period: "Period",
  periods: {
    today: "Today",
    yesterday: "Yesterday",
    last_7_days: "Last 7 days",
    last_30_days: "Last 30 days",
    this_month: "This month",
    last_month: "Last month",
    this_year: "This year",
  },
  columns: "Columns",
  resetColumns: "Reset columns",
  selectRow: (name: string) => `Select ${name}`,
  selectAll: "Select all rows of this page",
  selected: (count: number) => `${countOf(count)} selected`,
  selectionIsFull: (most: number) => `At most ${countOf(most)} rows can be selected`,
  clearSelection: "Clear selection",
  selection: "Selection",
  sumOf: (count: number, sums: string) =>
    `${countOf(count)} ${count === 1 ? "payout" : "payouts"}${sums === "" ? "" : `: ${sums}`}`,
  noSum: (most: number) => `The sum is shown for less than ${countOf(most)} matching payouts`,
  doneOf: (done: number, all: number) =>
    done === all ? `Done: all ${countOf(all)}` : `Done: ${countOf(done)} of ${countOf(all)}`,
  notDone: (count: number) => `Not done: ${countOf(count)}`,
  close: "Close",
  cancel: "Cancel",
  retryMany: (count: number) => `Retry ${countOf(count)}`,
  retryManyTitle: (count: number) =>
    `Retry ${countOf(count)} ${count === 1 ? "payout" : "payouts"}`,
  retryManyText:
    "Each failed payout is created again, with the same receiver, receiver account, amount and reference. A payout is retried once.",
  cancelMany: (count: number) => `Cancel ${countOf(count)}`,
  cancelManyTitle: (count: number) =>
    `Cancel ${countOf(count)} ${count === 1 ? "payout" : "payouts"}`,
  cancelManyText:
    "Payouts that were not sent yet are cancelled, and their money is available again.",
  keepPayouts: "Keep payouts",
  approveMany: (count: number) => `Approve ${countOf(count)}`,
  approveManyTitle: (count: number) =>
    `Approve ${countOf(count)} ${count === 1 ? "payout" : "payouts"}`,
  approveManyText:
    "Each is decided separately. You can't approve payouts that you made, or whose bank details you changed.",
  resendMany: (count: number) => `Resend ${countOf(count)}`,
  resendManyTitle: (count: number) =>
    `Resend ${countOf(count)} ${count === 1 ? "event" : "events"}`,
  resendManyText: "Each event is sent again to the webhook endpoint.",
} as const;
