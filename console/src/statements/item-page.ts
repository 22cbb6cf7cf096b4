// The page of what an exception or an item in transit is about, by the item's name. Pure.

const pages: Record<string, (id: string) => string> = {
  line: (id) => `/reconcile/lines/${id}`,
  batch: (id) => `/banks/batches/${id}`,
  // A report is named by its file and its number.
  report: (id) => `/banks/inbound/${id.split(":")[0]}`,
  suspense: (id) => `/banks/suspense/${id}`,
  opening: (id) => `/reconcile/statements/${id}`,
  gap: (id) => `/reconcile/statements/${id}`,
  overlap: (id) => `/reconcile/statements/${id}`,
  statement: (id) => `/reconcile/banks/${id}?tab=statements`,
};

/** Undefined where there is none. */
export function itemPage(item: string): string | undefined {
  const [kind = "", ...rest] = item.split(":");
  return Object.hasOwn(pages, kind) ? pages[kind]?.(rest.join(":")) : undefined;
}
