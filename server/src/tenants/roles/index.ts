// What other nouns use of roles. The rest of this folder is private to it.

export { fourEyesTable } from "./four-eyes-table.ts";
export {
  isProven,
  may,
  type Permission,
  permissions,
  type Role,
  requireFittingSubaccounts,
  requireUserEmail,
  roles,
  type Session,
  sees,
  type User,
} from "./user.ts";
