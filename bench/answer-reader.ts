// Reads just enough of an HTTP response to know its status and its end.

/** `text` is set only for a response other than 200. */
export type Answer = { status: number; text: string };

const lengthHeader = "\r\ncontent-length: ";
const success: Answer = { status: 200, text: "" };

/** For one connection. The bytes are read before it returns, so the buffer may be reused. */
export function answerReader(
  onAnswer: (answer: Answer) => void,
): (buffer: Buffer, bytes: number) => void {
  let head = "";
  let bodyBytesLeft = -1;

  return (buffer, bytes) => {
    if (bodyBytesLeft >= 0) {
      bodyBytesLeft -= bytes;
    } else {
      head += buffer.toString("latin1", 0, bytes);
      const headEnd = head.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      bodyBytesLeft = contentLength(head) - (head.length - headEnd - 4);
    }
    if (bodyBytesLeft > 0) return;
    const status = Number(head.slice(9, 12));
    const answer = status === 200 ? success : { status, text: head };
    head = "";
    bodyBytesLeft = -1;
    onAnswer(answer);
  };
}

function contentLength(head: string): number {
  let start = head.indexOf(lengthHeader);
  // Node capitalises its own headers, and sends ours as they were set.
  if (start === -1) start = head.indexOf("\r\nContent-Length: ");
  if (start === -1) throw new Error(`a response without a length: ${head.slice(0, 200)}`);
  return Number.parseInt(head.slice(start + lengthHeader.length), 10);
}
