// The tables of webhook endpoints. The one of postback_url has its own, whose key is the subaccount; the further ones share
// a second set, whose key has the endpoint as well. Statements are written once, for both.

export type EndpointTables = {
  /** Before the names of statements. */
  prefix: "" | "further-";
  endpoint: "webhook_endpoint" | "further_endpoint";
  secret: "webhook_endpoint_secret" | "further_endpoint_secret";
  delivery: "delivery" | "further_delivery";
  abandoned: "delivery_abandoned" | "further_delivery_abandoned";
  key: readonly ("subaccount_id" | "endpoint_id")[];
};

export const postbackTables: EndpointTables = {
  prefix: "",
  endpoint: "webhook_endpoint",
  secret: "webhook_endpoint_secret",
  delivery: "delivery",
  abandoned: "delivery_abandoned",
  key: ["subaccount_id"],
};

export const furtherTables: EndpointTables = {
  prefix: "further-",
  endpoint: "further_endpoint",
  secret: "further_endpoint_secret",
  delivery: "further_delivery",
  abandoned: "further_delivery_abandoned",
  key: ["subaccount_id", "endpoint_id"],
};

/** The key of a row: `d.subaccount_id`, and for further endpoints `d.endpoint_id`. */
export const keyOf = ({ key }: EndpointTables, alias = ""): string =>
  key.map((column) => (alias ? `${alias}.${column}` : column)).join(", ");

/** Two rows belong to the same endpoint. */
export const sameEndpoint = ({ key }: EndpointTables, one: string, other: string): string =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(" and ");

/** A webhook endpoint. Without `endpointId`, the one of postback_url. */
export type EndpointKey = { subaccountId: string; endpointId?: string | undefined };

/** The id on the wire: the endpoint of postback_url has that of its subaccount. */
export const endpointKey = (subaccountId: string, id: string): EndpointKey =>
  id === subaccountId ? { subaccountId } : { subaccountId, endpointId: id };

/** Names a lane in the memory of a process. */
export const laneOf = (row: { subaccount_id: string; endpoint_id?: string | undefined }): string =>
  row.endpoint_id ? `${row.subaccount_id}/${row.endpoint_id}` : row.subaccount_id;

export function endpointOfLane(lane: string): EndpointKey {
  const [subaccountId = "", endpointId] = lane.split("/");
  return { subaccountId, endpointId };
}
