// Pages of a list that is bounded as a whole: the cursor is the number of rows before the page. Pure.

export function cutPlace<Row>(
  all: readonly Row[],
  { place, size }: { place: number; size: number },
): { rows: Row[]; next: string | null } {
  const end = place + size;
  return { rows: all.slice(place, end), next: all.length > end ? String(end) : null };
}
