// The props of every dialog about one user.

import type { ListedUser } from "@server/doors/console/users/schema.ts";

export type UserDialog = {
  user: ListedUser;
  opened: boolean;
  onClose: () => void;
  onChanged: () => void;
};
