// Names as sanctions lists and receivers have them. The most common word is in 9 % of people's names, the tenth in 2 %, the
// hundredth in 0.4 %; in three real lists together it is 12 %, 2.6 % and 0.5 %.

import { type Draw, drawOf } from "../../../server/test/scenarios/seeded-draw.ts";

const given =
  "Mohammed Ahmed Ali Hassan Ibrahim Maria Jose Ivan Aleksandr Kim Chen Anna Omar Yusuf Khalid Elena Sergey Luis Carlos " +
  "Fatima David Andrey Saeed Karim Dmitry Olga Pedro Rashid Viktor Natalia Samir Jorge Tariq Irina Hamid Pablo";
const starts =
  "Ba Be Bo Ka Ke Ko Ma Me Mo Ra Ru Sa So Ta Te Za Na No Pe Lo La Vi Wa Ha Du Ji Gu".split(" ");
const middles = "ra ri lo la na ne mi ma sha ko ka re di da li ve te to bu zi".split(" ");
const ends = "n r ni nov ski dze yan ez ov ri ti sh d l m s k ba".split(" ");
const forms = "Ltd LLC GmbH JSC Inc Trading Shipping Holding".split(" ");

const givenCount = 300;

/** The same names for the same seed. Each fourth is of an organisation. */
export function madeUpNames(count: number, seed: number) {
  const draw = drawOf(seed);
  const givenNames = given.split(" ");
  while (givenNames.length < givenCount) givenNames.push(madeUpWord(draw));
  const families = Array.from({ length: Math.ceil(count / 3) }, () => madeUpWord(draw));
  const common = () => givenNames[Math.floor(drawRank(draw, givenCount)) - 1] as string;
  return Array.from({ length: count }, (_, index) => {
    if (index % 4 === 3) {
      const text = `${draw.pick(families)} ${madeUpWord(draw)} ${draw.pick(forms)}`;
      return { kind: "organisation", text } as const;
    }
    const words = [common(), draw.pick(families)];
    while (words.length < 5 && draw.number() < 0.5) {
      words.splice(1, 0, draw.number() < 0.5 ? common() : draw.pick(families));
    }
    return { kind: "person", text: words.join(" ") } as const;
  });
}

/** From 1 on, each rank r with a share of r to the power of -0.75. */
function drawRank(draw: Draw, count: number): number {
  return (1 + draw.number() * (count ** 0.25 - 1)) ** 4;
}

function madeUpWord(draw: Draw): string {
  let word = draw.pick(starts);
  for (let syllables = 1 + draw.below(2); syllables > 0; syllables -= 1) word += draw.pick(middles);
  return word + draw.pick(ends);
}
