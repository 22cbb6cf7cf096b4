// A list of the console: its declaration makes the route of its pages and that of its CSV file.

import type { Static, TObject, TSchema } from "typebox";
import type { ListPage } from "../../platform/db/index.ts";
import { csvOf, isoTime } from "../../platform/documents/index.ts";
import { input } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import type { Permission } from "../../tenants/roles/index.ts";
import { csvPagesOf, pageOf } from "../lists/index.ts";
import { type ConsoleAccess, inSubaccount, type SubaccountAccess, sendCsv } from "./route.ts";

type Cells = Record<string, unknown>;

type List<Query extends TObject, Row extends object> = {
  /** The permission for its pages. Everybody may read and export what is in a subaccount that they see. */
  may?: Permission;
  /** Filters, sort, limit and cursor. */
  query: Query;
  /** The schema of a row. */
  row: TObject;
  /** The schema of a page, where it says more than rows and the next cursor. */
  page?: TSchema;
  /** `access` has the subaccount where the path names one. */
  read(access: SubaccountAccess, query: Static<Query>): Promise<ListPage<Row>>;
  /** The name of the CSV file, and its columns where they are not the fields of a row. */
  csv: { name: string; columns?: readonly string[]; cells?: (row: Row) => Cells };
};

export function listRoute<Query extends TObject, Row extends object>(
  api: Api,
  path: string,
  { may = "read", query, row, page = pageOf(row), read, csv }: List<Query, Row>,
): void {
  const accessOf = ({ access }: { access: ConsoleAccess }) =>
    path.includes("/:subaccountId/") ? inSubaccount({ access }) : (access as SubaccountAccess);

  api.get(
    path,
    { config: { may }, schema: { querystring: query, response: { 200: page } } },
    async (request) => read(accessOf(request), request.query as Static<Query>) as never,
  );

  const { limit: _limit, cursor: _cursor, after: _after, ...filters } = query.properties;
  const { name, columns = Object.keys(row.properties), cells = cellsOf } = csv;
  api.get(
    `${path}.csv`,
    { config: { may: may === "read" ? "export" : may }, schema: { querystring: input(filters) } },
    async (request, reply) => {
      const access = accessOf(request);
      const nextPage = csvPagesOf(request.query as object, async (asked) => {
        const { rows, next } = await read(access, asked as Static<Query>);
        return { rows: rows.map((one) => cells(one)), next };
      });
      return sendCsv(reply, name, csvOf(columns, nextPage)) as never;
    },
  );
}

/** Times as ISO 8601, texts with a space between them, and objects as JSON. */
function cellsOf(row: object): Cells {
  const entries = Object.entries(row).map(([name, value]) => {
    if (/(^|_)at$/.test(name)) return [name, isoTime(value)];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
      return [name, value.join(" ")];
    }
    return [name, typeof value === "object" && value !== null ? JSON.stringify(value) : value];
  });
  return Object.fromEntries(entries);
}
