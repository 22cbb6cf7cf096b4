// Responses that differ only by an id: their JSON is built once.

/** `answerTo` is called once, with "?" as the id. Our ids have no character that JSON escapes. */
export function answerTemplate(answerTo: (id: string) => object): (id: string) => string {
  const [before = "", after = ""] = JSON.stringify(answerTo("?")).split("?");
  return (id) => before + id + after;
}
