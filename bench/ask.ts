// Sends one of the prepared requests by itself, and returns the whole response.

export function ask(port: number, request: Buffer): Promise<Response> {
  const [head = "", body = ""] = String(request).split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", path] = first.split(" ");
  // fetch sets these itself.
  const headers = lines
    .map((line) => line.split(": ") as [string, string])
    .filter(([name]) => name !== "host" && name !== "content-length");
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) });
}
