// What only a test subaccount can do: decide what would otherwise be decided elsewhere.

import type { Connection, WriteOptions } from "./connection.ts";
import type { TestStatus, TestStatusSet } from "./wire.ts";

export class TestHelpers {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Ends an identity check. AUTH111 (`PermissionError`) when the key is a live one. */
  async setStatus(status: TestStatus, options?: WriteOptions): Promise<TestStatusSet> {
    const path = "/api/test-helpers/status";
    return (await this.#connection.post<TestStatusSet>(path, status, options)).payload;
  }
}
