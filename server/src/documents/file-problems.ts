// The problems of a file that was read, with their places.

export type FileProblem = {
  /** An error makes the file invalid. A warning is a doubt that banks accept. */
  severity: "error" | "warning";
  /** From 1; 0 where the problem concerns the whole file. */
  line: number;
  column: number;
  message: string;
};

/** Collects problems. Reading goes on after each, so that all are reported at once. */
export class FileProblems {
  readonly all: FileProblem[] = [];

  error(line: number, column: number, message: string): void {
    this.all.push({ severity: "error", line, column, message });
  }

  warning(line: number, column: number, message: string): void {
    this.all.push({ severity: "warning", line, column, message });
  }
}
