// What every dialog about one person is given.

import type { PersonRow } from "@server/operator/people/schema.ts";

export type PersonDialog = {
  person: PersonRow;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};
