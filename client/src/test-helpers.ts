// Operations for test subaccounts only: they set outcomes that a bank or a provider would decide.

import type { Connection, WriteOptions } from "./connection.ts";
import type { Balance } from "./payout-wire.ts";
import type { TestFunding, TestStatus, TestStatusSet } from "./wire.ts";

export class TestHelpers {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Ends an identity check or a payout, or returns a payout that had arrived. AUTH111
   * (`PermissionError`) when the key is a live one; REVR302 or PAYO302 (`ConflictError`) when the state
   * of the receiver or the payout does not allow it; TEST211 (`ConflictError`) when the payout goes through a
   * test bank connection.
   */
  async setStatus(status: TestStatus, options?: WriteOptions): Promise<TestStatusSet> {
    const path = "/api/test-helpers/status";
    return (await this.#connection.post<TestStatusSet>(path, status, options)).payload;
  }

  /**
   * Adds to the balance, as if money had arrived at the bank. AUTH111 (`PermissionError`) when the key
   * is a live one, TEST210 (`ConflictError`) when the reference has funded before.
   */
  async fund(funding: TestFunding, options?: WriteOptions): Promise<Balance> {
    const path = "/api/test-helpers/fund";
    return (await this.#connection.post<Balance>(path, funding, options)).payload;
  }
}
