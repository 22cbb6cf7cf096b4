-- The keyed hash of an account number is made of one form of it, where a country writes one number in several. Null: by a version before.

alter table bank_details add column mark_version smallint;
