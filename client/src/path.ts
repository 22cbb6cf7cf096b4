// Paths that lead to one thing, by its id.

/** One key and its value, as a filter. */
export function metadataQuery(metadata: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]),
  );
}

export function pathOf(collection: string, id: string): string {
  // An empty id would read the list instead, and dots would climb out of the collection: addresses
  // are normalised before they are sent, so not even escaping keeps them in place.
  if (typeof id !== "string" || id === "" || id === "." || id === "..") {
    throw new TypeError("the id must be a string, and not empty");
  }
  return `${collection}/${encodeURIComponent(id)}`;
}
