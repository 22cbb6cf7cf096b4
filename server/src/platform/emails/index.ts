// What other nouns use of emails. The rest of this folder is private to it.

export { emailCharsMax, isEmail } from "./email.ts";
