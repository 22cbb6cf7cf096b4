// Progress on the error stream, so that the table can be piped.

const terminal = process.stderr.isTTY;
let lastSaidMs = 0;

export function say(text: string): void {
  process.stderr.write(terminal ? `\r\x1b[K${text}` : `${text}\n`);
}

export function sayDone(): void {
  if (terminal) process.stderr.write("\r\x1b[K");
}

const barChars = 30;
const pauseMs = terminal ? 200 : 5_000;

/** Call it after each step. */
export function progressBar(what: string, total: number): (done: number) => void {
  const startMs = performance.now();
  return (done) => {
    const nowMs = performance.now();
    if (nowMs - lastSaidMs < pauseMs && done < total) return;
    lastSaidMs = nowMs;
    const filled = Math.round((done / total) * barChars);
    const perSecond = (done * 1000) / (nowMs - startMs);
    const leftS = Math.ceil((total - done) / perSecond);
    const bar = `${"█".repeat(filled)}${"░".repeat(barChars - filled)}`;
    const share = `${Math.floor((100 * done) / total)} %`;
    say(`${what} ${bar} ${share}, ${Math.round(perSecond)} a second, ${leftS} s left`);
  };
}
