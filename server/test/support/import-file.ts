// A file to import, as the console sends it.

export function asFile(file: string | Uint8Array): { content: string } {
  return { content: Buffer.from(file).toString("base64") };
}
