-- A user who has read the bytes of a bank file could give them to the bank, so discarding it takes two users from then on.

alter table bank_batch add column read_at_ms bigint;
