// The problems of a file that was read, with their places.

export type FileProblem = {
  /** An error makes the file invalid. A warning is a doubt that banks accept. */
  severity: "error" | "warning";
  /** From 1; 0 where the problem concerns the whole file. */
  line: number;
  column: number;
  message: string;
};

/** Of each severity. A hostile file has a problem in every few bytes. */
const keptMax = 10_000;

/** Collects problems. Reading goes on after each, so that all are reported at once. */
export class FileProblems {
  readonly all: FileProblem[] = [];
  readonly #kept = { error: 0, warning: 0 };

  error(line: number, column: number, message: string): void {
    this.#add({ severity: "error", line, column, message });
  }

  warning(line: number, column: number, message: string): void {
    this.#add({ severity: "warning", line, column, message });
  }

  #add(problem: FileProblem): void {
    this.#kept[problem.severity] += 1;
    if (this.#kept[problem.severity] <= keptMax) this.all.push(problem);
  }
}
