// The shapes of the picture of the money: each figure flows into the bar in the middle, or out of it. Pure.

type Flow = {
  /** Of the figure: those on the left first. */
  index: number;
  path: string;
  /** It takes away from the others, and is drawn as a line. */
  isBelowZero: boolean;
};

type Flows = { bar: { from: number; to: number }; paths: Flow[] };

/** The picture is 100 wide. The bar is in its middle. */
const edges = { left: { out: 0, bar: 48 }, right: { out: 100, bar: 52 } };
/** Beside a figure, a flow is no thicker than its row. */
const rowShare = 0.7;
const thinnest = 2;

export function flowsOf(left: readonly number[], right: readonly number[], height: number): Flows {
  const total = (amounts: readonly number[]) =>
    amounts.reduce((sum, amount) => sum + Math.max(0, amount), 0);
  const most = Math.max(total(left), total(right));
  const barHeight = height * 0.8;
  const scale = most === 0 ? 0 : barHeight / most;
  const from = (height - barHeight) / 2;
  const of = (amounts: readonly number[], side: keyof typeof edges, first: number) =>
    sideOf(amounts, { edge: edges[side], height, scale, from, first });
  return {
    bar: { from, to: from + barHeight },
    paths: [...of(left, "left", 0), ...of(right, "right", left.length)],
  };
}

type Side = {
  edge: { out: number; bar: number };
  height: number;
  scale: number;
  from: number;
  first: number;
};

function sideOf(amounts: readonly number[], { edge, height, scale, from, first }: Side): Flow[] {
  const row = height / amounts.length;
  let used = from;
  return amounts.flatMap((amount, place) => {
    if (amount === 0) return [];
    const centre = row * (place + 0.5);
    const isBelowZero = amount < 0;
    const thick = isBelowZero ? 0 : Math.max(thinnest, amount * scale);
    const thin = Math.min(thick, row * rowShare);
    const shape = { centre, thin, top: used, thick };
    used += thick;
    return { index: first + place, isBelowZero, path: pathOf(edge, shape) };
  });
}

function pathOf(
  { out, bar }: Side["edge"],
  { centre, thin, top, thick }: { centre: number; thin: number; top: number; thick: number },
): string {
  const middle = (out + bar) / 2;
  const above = `M ${out} ${centre - thin / 2} C ${middle} ${centre - thin / 2} ${middle} ${top} ${bar} ${top}`;
  if (thick === 0) return above;
  const end = top + thick;
  return `${above} L ${bar} ${end} C ${middle} ${end} ${middle} ${centre + thin / 2} ${out} ${centre + thin / 2} Z`;
}
