// The check digit of a routing number in the United States. Pure.

const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === "000000000") return false;
  const sum = weights.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return sum % 10 === 0;
}
