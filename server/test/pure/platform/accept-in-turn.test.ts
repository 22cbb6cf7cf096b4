// How the processes of one service share new connections.

import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { acceptInTurn } from "../../../src/doors/app/accept-in-turn.ts";

function accepting() {
  const server = new EventEmitter();
  let pauses = 0;
  acceptInTurn(server, () => {
    pauses += 1;
  });
  const open = (count: number) =>
    Array.from({ length: count }, () => {
      const socket = new EventEmitter();
      server.emit("connection", socket);
      return socket;
    });
  return { open, pauses: () => pauses };
}

test("a process pauses before each further connection of a burst", () => {
  const { open, pauses } = accepting();
  open(1);
  expect(pauses()).toBe(0);
  open(20);
  expect(pauses()).toBeGreaterThan(10);
});

test("connections one after the other cause no pause", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { open, pauses } = accepting();
  for (let index = 0; index < 5; index += 1) {
    open(1);
    vi.advanceTimersByTime(5);
  }
  expect(pauses()).toBe(0);
});

test("connections that come and go cause no pause", () => {
  const { open, pauses } = accepting();
  const first = open(10);
  const before = pauses();
  for (const socket of first) {
    socket.emit("close");
    open(1);
  }
  expect(pauses()).toBe(before);
});

test("after a burst has ended, the next one is shared as well", () => {
  const { open, pauses } = accepting();
  for (const socket of open(30)) socket.emit("close");
  const before = pauses();
  open(30);
  expect(pauses()).toBeGreaterThan(before + 10);
});
