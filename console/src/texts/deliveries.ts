// Shared texts of the charts of webhook deliveries.

export const deliveriesTexts = {
  heatmap: "Deliveries by day and hour",
  firstTry: "Delivered first try",
  failed: "Failed",
  attempts: "Attempts",
  latency: "Response times",
} as const;
