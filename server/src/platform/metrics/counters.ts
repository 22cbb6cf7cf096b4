// Counters and histograms for hot paths. Those of the Prometheus client check and join their labels on each call, which
// costs 2 µs and more per request. Here a call is at most a map lookup and an addition; the client's registry only
// prints them.

/** The shape that the registry reads. */
type Family = { name: string; help: string; type: "counter" | "histogram"; values: Sample[] };
type Labels = Record<string, string | number>;
type Sample = { metricName: string; labels: Labels; value: number };

type CounterOptions = { name: string; help: string; labels: readonly string[] };

abstract class LabelledMetric<Child> {
  readonly name: string;
  abstract readonly type: Family["type"];
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #children = new Map<string, { labels: Labels; child: Child }>();

  constructor({ name, help, labels }: CounterOptions) {
    this.name = name;
    this.#help = help;
    this.#labels = labels;
  }

  protected abstract newChild(): Child;
  protected abstract samplesOf(child: Child, labels: Labels): Sample[];

  /** The child with these label values, in the order of the labels. */
  of(...values: (string | number)[]): Child {
    const key = values.join("\n");
    const known = this.#children.get(key);
    if (known) return known.child;
    const labels = Object.fromEntries(
      this.#labels.map((name, index) => [name, values[index] ?? ""]),
    );
    const child = this.newChild();
    this.#children.set(key, { labels, child });
    return child;
  }

  get(): Family {
    const children = [...this.#children.values()];
    const values = children.flatMap(({ labels, child }) => this.samplesOf(child, labels));
    return { name: this.name, help: this.#help, type: this.type, values };
  }
}

class Count {
  value = 0;
  add(count = 1): void {
    this.value += count;
  }
}

export class Counters extends LabelledMetric<Count> {
  readonly type = "counter";

  protected newChild(): Count {
    return new Count();
  }

  protected samplesOf({ value }: Count, labels: Labels): Sample[] {
    return [{ metricName: this.name, labels, value }];
  }
}

class Spread {
  readonly #bounds: readonly number[];
  /** Counts between each bound and the one before it; the last counts all above. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(observed: number): void {
    // Times from two clocks may be negative, and a sum must not shrink.
    const value = Math.max(0, observed);
    let index = 0;
    while (index < this.#bounds.length && value > (this.#bounds[index] as number)) index += 1;
    (this.#counts[index] as number) += 1;
    this.#sum += value;
  }

  read(): { sum: number; upTo: number[] } {
    let count = 0;
    const upTo = this.#counts.map((own) => {
      count += own;
      return count;
    });
    return { sum: this.#sum, upTo };
  }
}

export class Histograms extends LabelledMetric<Spread> {
  readonly type = "histogram";
  readonly #bounds: readonly number[];

  constructor(options: CounterOptions & { bounds: readonly number[] }) {
    super(options);
    this.#bounds = options.bounds;
  }

  protected newChild(): Spread {
    return new Spread(this.#bounds);
  }

  protected samplesOf(spread: Spread, labels: Labels): Sample[] {
    const { sum, upTo } = spread.read();
    return [
      ...upTo.map((value, index) => ({
        metricName: `${this.name}_bucket`,
        labels: { ...labels, le: this.#bounds[index] ?? "+Inf" },
        value,
      })),
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: upTo.at(-1) as number },
    ];
  }
}
