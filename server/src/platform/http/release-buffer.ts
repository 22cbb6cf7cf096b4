// Frees the memory of a buffer at once. The garbage collector waits for about 64 MiB of such buffers, which is too late
// when strangers send large bodies.

/** Empties the buffer. One that shares its memory with others is left alone. */
export function releaseBuffer({ buffer, byteOffset, byteLength }: Buffer): void {
  if (byteOffset !== 0 || buffer.byteLength !== byteLength) return;
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
