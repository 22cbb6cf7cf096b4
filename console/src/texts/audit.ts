// Shared texts of the screens below audit/.

export const auditTexts = {
  who: "Who",
  action: "Action",
  object: "Object",
  subaccount: "Subaccount",
  time: "Time",
  ipAddress: "IP address",
  commandLine: "Command line",
} as const;
