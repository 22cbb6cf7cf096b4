// What stands around every ISO 20022 message: the document, its namespace, the message's own element.

import type { XmlElement, XmlEvent } from "../documents/index.ts";
import type { FileProblems } from "../report.ts";
import { elementOf, kindOfElement, type Message } from "./messages.ts";
import { shape } from "./shapes.ts";

/** The group header as pain.002 and camt have it. */
export const headerShape = shape("MsgId! CreDtTm! MsgRcpt MsgPgntn");

type MessageFrame = {
  /** Name of the message's own element, once it was seen. */
  readonly name: string;
  isContainer(name: string): boolean;
  see(event: XmlEvent): void;
  /** Says so where the message's element never came. */
  end(): void;
};

/** Envelopes around a document, as SWIFT has them, are read through. */
export function openMessage(
  { kind, name: messageName }: Message,
  containers: ReadonlySet<string>,
  problems: FileProblems,
): MessageFrame {
  let name = "";
  // Known while the XML is read, which is ahead of the events.
  let isInside = false;

  function seeOpen({ name: found, attributes, line, column }: XmlElement): void {
    if (found === "Document") checkNamespace(attributes, line, column);
    if (kindOfElement(found) !== kind) return;
    if (name !== "")
      problems.error(line, column, "expected one message in the file, found another");
    name = found;
  }

  function checkNamespace(
    attributes: ReadonlyMap<string, string>,
    line: number,
    column: number,
  ): void {
    const spelt = [...attributes.keys()].find(
      (key) => key !== "xmlns" && key.toLowerCase() === "xmlns",
    );
    if (spelt) {
      problems.warning(line, column, `expected the attribute xmlns, found it spelt ${spelt}`);
    }
    const named = [...attributes.values()].join(" ");
    if (!named.includes(messageName) || messageName === kind) {
      const message = `expected a namespace of ${kind} at Document, found none`;
      problems.warning(line, column, message);
    }
  }

  return {
    get name() {
      return name;
    },
    isContainer(child) {
      if (kindOfElement(child) === kind) isInside = true;
      // Everything around the message is read through, beside the header of the envelope.
      return isInside ? child === elementOf(kind) || containers.has(child) : child !== "AppHdr";
    },
    see({ type, element }) {
      if (type === "open") seeOpen(element);
    },
    end() {
      if (name === "" && problems.all.length === 0) {
        problems.error(0, 0, `expected a message of ${messageName} in the file, found none`);
      }
    },
  };
}
