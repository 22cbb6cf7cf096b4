// What other nouns use of fields. The rest of this folder is private to it.

export { answerTemplate } from "./answer-template.ts";
export { type Check, checkOf } from "./check.ts";
export {
  defineFormat,
  type FieldCodes,
  FieldRefusal,
  type Fields,
  type GivenFields,
  givenFieldsIn,
  line,
  monthPattern,
  name,
  type SchemaExtras,
  type TextOptions,
  text,
} from "./fields.ts";
export {
  idField,
  idInBody,
  input,
  inputLike,
  NoFields,
  optional,
  readIds,
  required,
  requiredOfUsers,
  Sum,
  withoutFieldsOfUsers,
} from "./input.ts";
export { type FieldWords, fieldsOf, templateOf } from "./words.ts";
