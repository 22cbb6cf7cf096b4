// What every dialog about one person is given.

import type { PersonRow } from "@server/console/users/schema.ts";

export type PersonDialog = {
  person: PersonRow;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};
