// A ratio that has to hold.

export type Demand = { text: string; ratio: number; demanded: string; holds: boolean };

export function atLeast(text: string, ratio: number, min: number): Demand {
  return { text, ratio, demanded: `≥ ${min}`, holds: ratio >= min };
}

export function above(text: string, ratio: number, bound: number): Demand {
  return { text, ratio, demanded: `> ${bound}`, holds: ratio > bound };
}

export function atMost(text: string, ratio: number, max: number): Demand {
  return { text, ratio, demanded: `≤ ${max}`, holds: ratio <= max };
}
