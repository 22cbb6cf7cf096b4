// Readers of settings that are numbers, words or paths, and the settings of processes.

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { InvalidSetting } from "./address-settings.ts";

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidSetting(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

export function oneOf<T extends string>(...allowed: T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new InvalidSetting(`must be one of ${allowed.join(", ")}`);
    return found;
  };
}

/** A file or folder; undefined when it is not set. */
export const optionalPath = (text: string): string | undefined =>
  text ? resolve(text) : undefined;

export const cellName = (text: string): string => {
  if (!/^[a-z0-9]{0,8}$/.test(text)) {
    throw new InvalidSetting("must have 1 to 8 characters, each a-z or 0-9");
  }
  return text;
};

const processesMax = 64;
/** Fewer connections would not do for the kinds of work of a process. */
export const processPoolMin = 4;

export const processCount = (text: string): number => {
  if (text === "auto") return Math.min(availableParallelism(), processesMax);
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > processesMax) {
    throw new InvalidSetting(`must be auto, or a whole number from 1 to ${processesMax}`);
  }
  return count;
};

/** Many processes get fewer each: PostgreSQL allows 100 connections by default. */
export function poolOf(processes: unknown): number {
  if (typeof processes !== "number" || processes === 1) return 16;
  return Math.max(processPoolMin * processes, Math.min(8 * processes, 64));
}

/** 0, any free port, when PORT has no fixed value or none above it. */
export function portAbove(port: unknown): number {
  return typeof port === "number" && port > 0 && port < 65535 ? port + 1 : 0;
}
