// Names as sanctions lists and receivers have them: some words are in one name of ten, most are in few.

import { type Draw, drawOf } from "../scenarios/seeded-draw.ts";

const given =
  "Mohammed Ahmed Ali Hassan Ibrahim Maria Jose Ivan Aleksandr Kim Chen Anna Omar Yusuf Khalid Elena Sergey Luis Carlos " +
  "Fatima David Andrey Saeed Karim Dmitry Olga Pedro Rashid Viktor Natalia Samir Jorge Tariq Irina Hamid Pablo";
const starts =
  "Ba Be Bo Ka Ke Ko Ma Me Mo Ra Ru Sa So Ta Te Za Na No Pe Lo La Vi Wa Ha Du Ji Gu".split(" ");
const middles = "ra ri lo la na ne mi ma sha ko ka re di da li ve te to bu zi".split(" ");
const ends = "n r ni nov ski dze yan ez ov ri ti sh d l m s k ba".split(" ");
const forms = "Ltd LLC GmbH JSC Inc Trading Shipping Holding".split(" ");

/** The same names for the same seed. Each fourth is of an organisation. */
export function madeUpNames(count: number, seed: number) {
  const draw = drawOf(seed);
  const givenNames = given.split(" ");
  const families = Array.from({ length: Math.ceil(count / 3) }, () => madeUpWord(draw));
  const common = () => givenNames[Math.floor(givenNames.length * draw.number() ** 2)] as string;
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

function madeUpWord(draw: Draw): string {
  let word = draw.pick(starts);
  for (let syllables = 1 + draw.below(2); syllables > 0; syllables -= 1) word += draw.pick(middles);
  return word + draw.pick(ends);
}
