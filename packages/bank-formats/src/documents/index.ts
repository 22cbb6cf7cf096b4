// What reading files of any kind takes: settings for CSV, XML as a stream, and problems with their places.

export { csvSettings, describeCsvError } from "./csv-input.ts";
export { type FileProblem, FileProblems } from "./file-problems.ts";
export {
  childrenOf,
  descendants,
  findElement,
  pathNames,
  textAt,
  type XmlElement,
} from "./xml-elements.ts";
export { readXml, type XmlEvent } from "./xml-reader.ts";
