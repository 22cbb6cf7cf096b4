// The limits of imports.

export const importLimits = {
  /** Rows that a page shows before it imports a file. */
  previewMax: 1_000,
};
