// Paths that lead to one thing, by its id.

export function pathOf(collection: string, id: string): string {
  // An empty id would read the list instead, and dots would climb out of the collection: addresses
  // are normalised before they are sent, so not even escaping keeps them in place.
  if (typeof id !== "string" || id === "" || id === "." || id === "..") {
    throw new TypeError("the id must be a string, and not empty");
  }
  return `${collection}/${encodeURIComponent(id)}`;
}
