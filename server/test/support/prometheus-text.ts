// Parses the text format of Prometheus strictly: other text throws.

type Sample = { series: string; labels: Record<string, string>; value: number };
export type Family = { name: string; type: string; help: string; samples: Sample[] };

const suffixes: Record<string, RegExp> = { histogram: /^(_bucket|_sum|_count)$/ };

export function readFamilies(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line must end");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let current: Family | undefined;

  for (const line of text.split("\n").filter((line) => line !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) ([a-z0-9_]+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      help = { name, text: rest };
    } else if (kind === "TYPE") {
      if (help?.name !== name || families.has(name)) throw new Error(`${line}: out of order`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`${line}: no such type`);
      current = { name, type: rest, help: help.text, samples: [] };
      families.set(name, current);
    } else {
      const sample = readSample(line);
      if (!current || !belongs(sample, current)) throw new Error(`${line}: of no family`);
      const identity = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(identity)) throw new Error(`${line}: twice`);
      seen.add(identity);
      current.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Sample {
  const [, series, inner, number] = /^([a-z0-9_]+)(?:\{(.+)\})? (\S+)$/.exec(line) ?? [];
  const value = Number(number);
  if (series === undefined || !Number.isFinite(value)) throw new Error(`${line}: no sample`);
  const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g;
  if (inner?.replace(label, "")) throw new Error(`${line}: labels`);
  const labels = Object.fromEntries(
    [...(inner ?? "").matchAll(label)].map(([, name, value]) => [name, value]),
  );
  return { series, labels, value };
}

function belongs({ series }: Sample, { name, type }: Family): boolean {
  if (!series.startsWith(name)) return false;
  const rest = series.slice(name.length);
  return suffixes[type]?.test(rest) ?? rest === "";
}
