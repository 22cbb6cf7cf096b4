// The metadata of an object: keys and values of the caller. Nothing where there is none.

import { Facts } from "./facts.tsx";
import { Panel } from "./panel.tsx";

export function MetadataPanel({ metadata }: { metadata: Record<string, string> | undefined }) {
  if (!metadata) return null;
  const items = Object.entries(metadata).map(([label, value]) => ({ label, value }));
  return (
    <Panel title="Metadata">
      <Facts items={items} />
    </Panel>
  );
}
