// The sort of a list, in its address: the name of a column, with a minus where the largest or newest comes first. Pure.

export type Sorting = { value: string | undefined; onChange: (value: string | undefined) => void };

/** A first click sorts as the column suggests, the next one in the other direction, and a third one not at all. */
export function nextSort(current: string, suggested: string): string | undefined {
  if (current === suggested) return opposite(suggested);
  return current === opposite(suggested) ? undefined : suggested;
}

function opposite(sort: string): string {
  return sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
}
