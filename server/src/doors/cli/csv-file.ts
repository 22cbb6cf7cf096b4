// A CSV file that a command writes row by row. Flushed rows survive the end of the process.

import { stringify } from "csv-stringify/sync";
import { CliError, exitCodes } from "../setup/index.ts";
import { openToWrite } from "./local-files.ts";

type Cell = string | number;

export class CsvFile {
  readonly #file: ReturnType<typeof openToWrite>;
  #waiting: Cell[][] = [];

  /** Replaces an existing file. */
  constructor(path: string, header: string[]) {
    try {
      this.#file = openToWrite(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof CliError) throw error;
      throw new CliError(`${path} can't be written (${code}).`, exitCodes.usage);
    }
    this.#waiting.push(header);
    this.flush();
  }

  add(...row: Cell[]): void {
    this.#waiting.push(row);
    if (this.#waiting.length >= 1000) this.flush();
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#file.add(stringify(this.#waiting));
    this.#waiting = [];
  }

  close(): void {
    this.flush();
    this.#file.close();
  }
}
