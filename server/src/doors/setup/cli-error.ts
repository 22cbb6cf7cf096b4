// The error that ends a command: a message for the terminal and an exit code for scripts.

export const exitCodes = {
  unexpected: 1,
  refused: 1,
  usage: 2,
  notFound: 4,
  interrupted: 130,
} as const;

export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.unexpected) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}
