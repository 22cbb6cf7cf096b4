// Schemas of saved views.

import Type, { type Static } from "typebox";
import { input } from "../../../platform/fields/index.ts";
import { ViewKey } from "../../../tenants/users/index.ts";

export const ViewsQuery = input({ list: ViewKey.properties.list });

export const SavedViews = Type.Object({
  rows: Type.Array(
    Type.Object({
      name: Type.String(),
      search: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export type SavedViews = Static<typeof SavedViews>;
