// The columns of webhook endpoints, for the table of erasure: none is about a receiver.

export const endpointColumns = {
  event_fan_out: { keeps: "type" },
  further_endpoint: {
    keeps: `url description event_types format headers_sealed header_names paused_by disabled_because untold`,
  },
  further_endpoint_secret: { keeps: "sealed" },
  further_recovery: { keeps: "who" },
  webhook_endpoint: {
    keeps: `url paused_by event_types further_types description headers_sealed header_names disabled_because untold`,
  },
  webhook_endpoint_secret: { keeps: "sealed" },
};
