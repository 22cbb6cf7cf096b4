// Releases the memory of a buffer at once. The garbage collector frees it too, but only after some 64 MiB of such buffers
// have gathered: too late where strangers send large bodies.

/** The buffer is empty afterwards. One that shares its memory with others is left alone. */
export function releaseBuffer({ buffer, byteOffset, byteLength }: Buffer): void {
  if (byteOffset !== 0 || buffer.byteLength !== byteLength) return;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
