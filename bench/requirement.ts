// A ratio that a measure must reach.

export type Requirement = { text: string; ratio: number; required: string; holds: boolean };

export function atLeast(text: string, ratio: number, min: number): Requirement {
  return { text, ratio, required: `≥ ${min}`, holds: ratio >= min };
}

export function above(text: string, ratio: number, bound: number): Requirement {
  return { text, ratio, required: `> ${bound}`, holds: ratio > bound };
}

export function atMost(text: string, ratio: number, max: number): Requirement {
  return { text, ratio, required: `≤ ${max}`, holds: ratio <= max };
}
