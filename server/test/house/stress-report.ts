// Sums up the results of several runs of the suite.

/** The part of vitest's JSON report that is used here. */
export type RunResult = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};

type Failure = { file: string; test: string; seeds: number[]; message: string };
export type Failures = Map<string, Failure>;

/** Adds what failed in one run: tests, files that could not be run, or the run as a whole. */
export function noteFailures(
  failures: Failures,
  seed: number,
  code: number | null,
  result?: RunResult,
): void {
  let count = 0;
  const note = (file: string, test: string, message = "") => {
    count += 1;
    const key = `${file} ${test}`;
    const failure = failures.get(key) ?? { file, test, seeds: [], message };
    failure.seeds.push(seed);
    failures.set(key, failure);
  };
  for (const { name, status, message, assertionResults } of result?.testResults ?? []) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) note(name, test.fullName, test.failureMessages?.[0]);
    if (status === "failed" && failed.length === 0) note(name, "(the file as a whole)", message);
  }
  if (code !== 0 && count === 0) note("", "(the run as a whole)", `vitest ended with ${code}`);
}

/** The most frequent failures first. */
export function report(
  failures: Failures,
  runs: number,
  toPath: (file: string) => string = (file) => file,
): string {
  if (failures.size === 0) return `${runs} runs, no failure.`;
  const lines = [...failures.values()]
    .sort((one, other) => other.seeds.length - one.seeds.length)
    .flatMap(({ file, test, seeds, message }) => [
      `${seeds.length} of ${runs}: ${toPath(file)} > ${test}`,
      `   seeds ${seeds.join(", ")}; ${message.split("\n", 1)[0]}`,
    ]);
  const repeat = "DISBURSE_TEST_SEED=<seed> npm run test:all repeats the order of a run.";
  return [`${runs} runs, ${failures.size} tests failed:`, ...lines, repeat].join("\n");
}
