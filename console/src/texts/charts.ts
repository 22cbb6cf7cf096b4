// The texts of the charts, apart from those of the overview: the charts are a chunk of their own.

export const chartTexts = {
  deliveredAfterRetry: "Delivered after retry",
  deliveredFirstTry: "Delivered first try",
  failed: "Failed",
  median: "Median",
  pending: "Pending",
  successful: "Successful",
} as const;
