// Reads account statements (camt.053), reports (camt.052) and notifications (camt.054), of any version.

import { readXml } from "../documents/index.ts";
import { addTo, FileProblems, type FileReport, type Sums } from "../report.ts";
import { CamtEntry } from "./camt-entry.ts";
import type { CamtRecord } from "./camt-records.ts";
import { CamtStatement, statementShapes } from "./camt-statement.ts";
import { headerShape, openMessage } from "./message-frame.ts";
import type { Message } from "./messages.ts";
import { checkShape, ShapeCheck, shape } from "./shapes.ts";

const containers = new Set(["Stmt", "Rpt", "Ntfctn", "Ntry", "NtryDtls"]);
const statementNames = { "camt.052": "Rpt", "camt.053": "Stmt", "camt.054": "Ntfctn" } as const;

const noStatement = { id: "", account: "", createdOn: "" };

export type CamtMessage = Message & { kind: keyof typeof statementNames };

/** Yields transactions, then the entry around them; entries, then the statement. Ends with the report. */
export function* readCamt(
  text: string,
  message: CamtMessage,
): Generator<CamtRecord, FileReport, void> {
  const problems = new FileProblems();
  const totals = new Map<string, Sums>();
  const report = { format: message.name, problems: problems.all, count: 0, totals };
  const frame = openMessage(message, containers, problems);
  const statementName = statementNames[message.kind];
  const check = new ShapeCheck(shape(`GrpHdr! ${statementName}!* SplmtryData*`), problems);
  let statement: CamtStatement | undefined;
  let entry: CamtEntry | undefined;

  for (const event of readXml(text, frame.isContainer, problems)) {
    frame.see(event);
    const { type, element, parent } = event;
    const expected = statementShapes.get(element.name);
    if (type === "open") {
      if (parent === frame.name) check.see(element);
      if (expected) statement = new CamtStatement(element, expected, problems);
      if (element.name === "Ntry") {
        statement?.see(element);
        entry = new CamtEntry(element, statement ?? noStatement, problems);
        report.count += 1;
      }
      if (element.name === "NtryDtls") entry?.see(element);
    } else if (type === "element") {
      if (parent === frame.name) check.see(element);
      if (element.name === "GrpHdr") checkShape(element, headerShape, problems);
      if (statementShapes.has(parent)) statement?.see(element);
      if (parent === "Ntry") entry?.see(element);
      const transaction = parent === "NtryDtls" ? entry?.seeDetail(element) : undefined;
      if (transaction) yield transaction;
    } else if (element.name === "Ntry") {
      const record = entry?.end();
      if (record) addTo(totals, record.currency, record.direction, record.amount);
      if (record) yield record;
      if (entry) statement?.add(entry);
      entry = undefined;
    } else if (expected) {
      if (statement) yield statement.end();
      statement = undefined;
    } else if (element.name === frame.name) {
      check.end(element);
    }
  }
  frame.end();
  return report;
}
