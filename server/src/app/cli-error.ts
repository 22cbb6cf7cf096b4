// How a command says that it can't go on: a sentence for the person, and an exit code for the script.

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
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}
