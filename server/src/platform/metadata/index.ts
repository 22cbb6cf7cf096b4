// What other nouns use of metadata. The rest of this folder is private to it.

export {
  isSameMetadata,
  type Metadata,
  metadataField,
  metadataFilter,
  metadataPairPattern,
  metadataSchema,
  readMetadataPair,
  someMetadata,
} from "./metadata.ts";
export { metadataHash, type ObjectMetadata, writeMetadata } from "./queries.ts";
