// The bytes of a file as base64. Pure.

/** In pieces, because the number of arguments of a call is limited. */
export function base64Of(bytes: Uint8Array): string {
  const size = 8_192;
  let text = "";
  for (let start = 0; start < bytes.length; start += size) {
    text += String.fromCharCode(...bytes.subarray(start, start + size));
  }
  return btoa(text);
}
