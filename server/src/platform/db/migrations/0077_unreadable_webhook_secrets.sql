-- A webhook secret that can't be decrypted is a state of its webhook endpoint: events wait, and the console, metrics and the API say so.

alter table webhook_endpoint add column secret_unreadable_since_ms bigint;
