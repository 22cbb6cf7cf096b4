// The views of the console's lists that a user saves. Only that user sees them: there is no audit entry.

import { Refusal } from "../../platform/refusals/index.ts";
import { act, userSession } from "../acts/index.ts";
import { deleteView, saveView } from "../user-records/index.ts";
import { NewView, ViewKey, viewParameters } from "./schema.ts";

export const viewsOfListMax = 50;

const ofOwnViews = { object: "view", may: "read", doors: ["console"] } as const;

export const keepView = act({
  ...ofOwnViews,
  name: "view.save",
  tokens: "none",
  summary: "save a view of a list, instead of the one with the same name",
  input: NewView,
  async run({ tx, ...by }, { list, name, search: given }) {
    const kept: readonly string[] = viewParameters[list];
    const search = Object.fromEntries(
      Object.entries(given as Record<string, string>).filter(([one]) => kept.includes(one)),
    );
    const key = { userId: userSession(by).user.id, list, name };
    if (!(await saveView(tx, key, { search, most: viewsOfListMax }))) throw new Refusal("CONS809");
    return { result: { list }, id: undefined };
  },
});

export const discardView = act({
  ...ofOwnViews,
  name: "view.delete",
  tokens: "none",
  summary: "delete a saved view of a list",
  input: ViewKey,
  async run({ tx, ...by }, { list, name }) {
    const key = { userId: userSession(by).user.id, list, name };
    if (!(await deleteView(tx, key))) throw new Refusal("CONS110");
    return { result: { list }, id: undefined };
  },
});
