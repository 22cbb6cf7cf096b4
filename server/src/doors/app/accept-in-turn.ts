// Shares new connections among the processes of one service. They accept from one socket, and the first to wake up would
// take most of a burst: of 64 connections one process got up to 57. So a process that gets several in a row pauses for a
// moment before the next, and another one takes it.

import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** Connections that follow each other closer than this are a burst. */
const burstMs = 2;
const pauseMs = 0.1;
/** This number may be closed and opened again without a pause, as by callers that open one for each request. */
const slack = 8;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** The whole process pauses. A timer would not do: the next connection is accepted in the same turn of the event loop. */
function pauseProcess(): void {
  Atomics.wait(never, 0, 0, pauseMs);
}

export function acceptInTurn(server: EventEmitter, pause: () => void = pauseProcess): void {
  let open = 0;
  /** The largest number that was open at once lately. Up to it, a new connection only replaces one that was closed. */
  let usual = 0;
  let lastMs = Number.NEGATIVE_INFINITY;

  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
      usual = Math.min(usual, open + slack);
    });
    if (open <= usual) return;
    usual = open;
    if (performance.now() - lastMs < burstMs) pause();
    lastMs = performance.now();
  });
}
