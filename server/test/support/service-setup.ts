// The service for a test file: one for each file, closed after its tests.

import { beforeAll } from "vitest";
import { closeAfterTests } from "./close-after-tests.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

export let service: Service;

/** Each file calls this: files share this module, and each needs its own service. */
export async function useService(options?: ServiceOptions): Promise<void> {
  const starting = closeAfterTests(startService(options));
  // A file that does not wait for this call has the service in its tests.
  beforeAll(async () => {
    service = await starting;
  });
  service = await starting;
}
