// The props of every dialog about one user.

import type { PersonRow } from "@server/console/users/schema.ts";

export type UserDialog = {
  user: PersonRow;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};
