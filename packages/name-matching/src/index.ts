// The face of the package: what programs outside of it use.

export { compareNames, matchThreshold, type NameReason } from "./compare.ts";
export { editDistance, typingCosts } from "./distance.ts";
export { legalFormAt } from "./legal-forms.ts";
export { type FoundName, indexNames, type NameIndex } from "./name-index.ts";
export { type NameKind, type PreparedName, prepareName } from "./prepare.ts";
