// The texts of the charts of webhook deliveries.

export const deliveriesTexts = {
  charts: "Charts",
  lastDays: (days: string) => `Last ${days} days`,
  shown: "Days shown",
  heatmap: "Deliveries by day and hour",
  firstTry: "Delivered first try",
  afterRetry: "Delivered after retry",
  failed: "Failed",
  share: "Share shown",
  attempts: "Attempts",
  dayAndHour: "Day and hour",
  noAttempts: "No attempts",
  heatmapSaid: (days: number, attempts: string, firstTry: string, failed: string, worst: string) =>
    `Delivery attempts of the last ${days} days by day and hour: ${attempts} attempts, ${firstTry} delivered at the first try, ${failed} failed. ${worst}`,
  worstHour: (hour: string, share: string) =>
    `The hour with the largest share of failed attempts is ${hour}: ${share}.`,
  hourSaid: (hour: string, attempts: string, firstTry: string, failed: string) =>
    `${hour}: ${attempts} attempts, ${firstTry} first try, ${failed} failed`,
  opensAttempts: "A click on an hour opens the attempts of its day.",
  latency: "Response times",
  responseTime: "Response time",
  shareOfAttempts: "Share",
  under: (to: string) => `under ${to}`,
  from: (from: string) => `${from} or more`,
  between: (from: string, to: string) => `${from} to ${to}`,
  latencySaid: (p50: string, p95: string, p99: string) =>
    `Response times of delivery attempts. Half of them took at most ${p50}, 95% at most ${p95}, 99% at most ${p99}.`,
  percentiles: (p50: string, p95: string, p99: string) =>
    `Median ${p50} · 95th percentile ${p95} · 99th percentile ${p99}`,
  bounds: {
    failed: {
      first: (percent: string) => `up to ${percent}`,
      next: (percent: string) => `to ${percent}`,
      last: (percent: string) => `over ${percent}`,
    },
    first_try: {
      first: (percent: string) => `from ${percent}`,
      next: (percent: string) => `from ${percent}`,
      last: (percent: string) => `under ${percent}`,
    },
  },
} as const;
