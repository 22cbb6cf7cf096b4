// Shared texts of lists: sorting, columns, selection, and acts on several rows.

export const listsTexts = {
  removeAFilter: "Remove a filter to see more.",
} as const;
