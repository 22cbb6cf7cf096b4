// Shared texts of the screens below banks/.

export const banksTexts = {
  banks: "Banks",
  name: "Name",
  account: "Account",
  bankCutoff: "Bank cut-off",
  payouts: "Payouts",
  status: "Status",
  at: (time: string, zone: string) => `${time} ${zone}`,
  disable: "Disable",
  requested: "Requested. Another admin has to approve it.",
  by: (who: string) => `by ${who}`,
  approve: "Approve",
  request: "Request",
  requestsWait: (count: number) =>
    `${count} ${count === 1 ? "change of a bank connection waits" : "changes of bank connections wait"} for another admin.`,
  noLimit: "Empty: the limit of the format.",
  fee: {
    noBound: "Empty: no bound.",
  },

  batches: "Bank files",
  bank: "Bank",
  processDate: "Process date",
  total: "Total",
  bankReference: "Bank reference",
  discard: "Discard",
  notAtBank: "not at the bank",
} as const;
