// Arrays as PostgreSQL reads them. The driver's own writer runs two regular expressions over every element, which costs
// several times as much; batched statements send every column of every call as an element.

/** Undefined where an element is of a kind that only the driver knows. */
export function arrayLiteral(elements: readonly unknown[]): string | undefined {
  let literal = "{";
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index];
    if (index > 0) literal += ",";
    if (typeof element === "string") literal += quoted(element);
    else if (element === null || element === undefined) literal += "NULL";
    else if (Buffer.isBuffer(element)) literal += `\\\\x${element.toString("hex")}`;
    else if (typeof element === "object") return undefined;
    else literal += String(element);
  }
  return `${literal}}`;
}

function quoted(text: string): string {
  if (!text.includes('"') && !text.includes("\\")) return `"${text}"`;
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
