// What other nouns use of http-client. The rest of this folder is private to it.

export { connectFailureOf } from "./connector.ts";
export { type Posted, type Poster, poster } from "./post.ts";
