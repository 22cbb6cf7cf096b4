-- Keys of persons: what is known of a receiver beside names and email is encrypted under a key of the receiver, so that
-- erasure can destroy the key. The version before goes on with the columns in the clear: nothing is encrypted this way until
-- `disburse master-key person-keys` finds that no such process runs. A new installation begins with it.

alter table receiver
  -- The key, encrypted with a data key. Null: a receiver of before, or one that is erased.
  add column person_key bytea,
  -- Date of birth, phone and address. In such a row the columns of the address are empty, and `dob` and `phone` hold the
  -- short hashes by which possible duplicates are found.
  add column person_sealed bytea;

-- Phone and address of the account, under the key of its receiver.
alter table receiver_account add column contact_sealed bytea;

alter table installation
  add column person_keys text check (person_keys in ('announced', 'current')),
  -- Processes hold a lock of what they have loaded: see data_key.generation.
  add column person_keys_generation bigint not null default 0;
alter table installation alter column person_keys set default 'current';
