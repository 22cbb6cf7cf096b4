// A DNS server on loopback that gives the answers a test chooses, or none.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ipaddr from "ipaddr.js";

type DnsAnswer = string[] | "no such name" | "nothing";

export async function startDnsServer(answer: (name: string, type: "A" | "AAAA") => DnsAnswer) {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (query, { port, address }) => {
    asked += 1;
    const { name, type, end } = readQuestion(query);
    const answers = type === undefined ? [] : answer(name, type);
    if (answers !== "nothing") socket.send(toReply(query.subarray(0, end), answers), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked: () => asked,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const types = { 1: "A", 28: "AAAA" } as const;
  const type = types[query.readUInt16BE(at + 1) as keyof typeof types];
  return { name: labels.join(".").toLowerCase(), type, end: at + 5 };
}

/** RFC 1035, section 4: repeats the question, and adds a record for each address that points back to its name. */
function toReply(question: Buffer, answers: string[] | "no such name"): Buffer {
  const head = Buffer.from(question);
  const addresses = answers === "no such name" ? [] : answers;
  head.writeUInt16BE(answers === "no such name" ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...records]);
}
