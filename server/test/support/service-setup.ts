// The service for a test file: one for each file, closed after its tests.

import { closeAfterTests } from "./close-after-tests.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

export let service: Service;

/** Each file calls this: files share this module, and each needs its own service. */
export async function useService(options?: ServiceOptions): Promise<void> {
  service = await closeAfterTests(startService(options));
}
