// Connections to several processes of a service: its metrics say which process answers.

import type { Serving } from "./process.ts";
import { readFamilies } from "./prometheus-text.ts";
import { openWire, requestBytes, type Wire } from "./raw-http.ts";

/** The values of a series, by process. */
export async function valuesByProcess(
  metricsUrl: string,
  series: string,
  labels: Record<string, string> = {},
): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const samples = [...readFamilies(text).values()].flatMap((family) => family.samples);
  const found = samples.filter(
    (sample) =>
      sample.series === series &&
      Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
  );
  return new Map(found.map(({ labels, value }) => [labels.process ?? "", value]));
}

/** Opens connections until two processes have answered on one. */
export async function openWireOfEach({ baseUrl, metricsUrl }: Serving): Promise<[Wire, Wire]> {
  const wires = new Map<string, Wire>();
  const requests = () =>
    valuesByProcess(metricsUrl, "disburse_http_requests_total", { route: "/healthz" });
  while (wires.size < 2) {
    const before = await requests();
    const wire = await openWire(Number(new URL(baseUrl).port));
    wire.write(requestBytes({ path: "/healthz" }));
    await wire.answer();
    const [number] = [...(await requests())].find(
      ([process, count]) => count > (before.get(process) ?? 0),
    ) as [string, number];
    if (wires.has(number)) wire.socket.destroy();
    else wires.set(number, wire);
  }
  return [...wires.values()] as [Wire, Wire];
}
