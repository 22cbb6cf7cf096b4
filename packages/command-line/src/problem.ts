// What went wrong, with its exit code.

export const exitCodes = { unexpected: 1, usage: 2, refused: 1 } as const;

export class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
