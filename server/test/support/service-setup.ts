// The service for a test file: one for each file, closed after its tests.

import { afterAll, beforeAll } from "vitest";
import { type Service, type ServiceOptions, startService } from "./service.ts";

export let service: Service;

/** Each file calls this: files share this module, and each needs its own service. */
export function useService(options?: ServiceOptions): void {
  beforeAll(async () => {
    service = await startService(options);
  });
  afterAll(() => service.close());
}
