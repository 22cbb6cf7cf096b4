// Shared texts of the screens below requests/.

export const requestsTexts = {
  code: "Code",
  request: "Request",
  status: "Status",
  groupedErrors: "Grouped errors",
  path: "Path",
  apiKey: "API key",
  apiRequests: "API requests",
  requestId: "Request ID",
  duration: "Duration",
  ipAddress: "IP address",
  ms: (ms: number | string) => `${ms} ms`,
} as const;
