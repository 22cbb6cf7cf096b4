// Fields of decisions about cases.

import Type from "typebox";
import { line, requiredOfUsers } from "../../platform/fields/index.ts";

export const reasonText = Type.String({ minLength: 1, maxLength: 500, pattern: line });
export const caseVersion = requiredOfUsers(Type.String({ minLength: 1, maxLength: 100 }));
