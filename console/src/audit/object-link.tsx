// The object of an entry: a link where the object has a page, else its ID to copy.

import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type ObjectOf, objectPage } from "./object-page.ts";

export function ObjectLink({ of, short = false }: { of: ObjectOf; short?: boolean }) {
  const page = objectPage(of);
  const { object_id } = of;
  if (!page) return <IdChip id={object_id} short={short} />;
  return (
    <PageLink to={page} underline="always">
      {short ? shortOf(object_id) : object_id}
    </PageLink>
  );
}
