-- The trace context of the request that committed an event. Null unless tracing is on.

alter table event add column traceparent text;
