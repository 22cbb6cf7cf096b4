-- The review queue: which identity checks wait for a person, who is at them, and what finds people again.

-- Whether the identity check itself asks for a person: it put the case on hold, or approves somebody whom it
-- had rejected for good.
alter table receiver add column kyc_wants_person boolean not null default false;

update receiver r set kyc_wants_person = true
from (
  select distinct on (subaccount_id, receiver_id) subaccount_id, receiver_id, provider, outcome, occurred_at_ms
  from kyc_report order by subaccount_id, receiver_id, occurred_at_ms desc, received_at_ms desc
) last
where r.subaccount_id = last.subaccount_id and r.id = last.receiver_id
  and last.provider <> 'operator' and last.occurred_at_ms = r.kyc_heard_at_ms
  and (last.outcome, r.kyc_status) in (('on_hold', 'pending'), ('approved', 'failed'));

-- The queue, over all subaccounts, oldest first. A check that is open and has no next step waits for a person, and
-- one that says so.
create index receiver_to_review on receiver ((greatest(created_at_ms, kyc_heard_at_ms)), subaccount_id, id)
  where (kyc_status = 'pending' and kyc_step is null) or kyc_wants_person;

-- What people decided, newest last: the id of such a report grows with time.
create index kyc_report_of_people on kyc_report (event_id collate "C") where provider = 'operator';

-- Two names of one person, and a name by its beginning; byte by byte, so that a beginning is one range.
create index receiver_by_name on receiver (subaccount_id, (lower(last_name) collate "C"), dob, id);
create index receiver_by_phone on receiver (subaccount_id, phone, dialcode);
create index bank_details_by_tail on bank_details (subaccount_id, account_number_tail, bsb, account_id)
  where account_number_tail <> '';

-- Who is at a case, for a while.
create table review_assignment (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  person_id     text   not null,
  -- As histories name the person.
  who           text   not null,
  until_ms      bigint not null,
  primary key (subaccount_id, receiver_id),
  foreign key (subaccount_id, receiver_id) references receiver
);
create index review_assignment_of_person on review_assignment (person_id);

-- The first of two approvals. It counts for the case as it was.
create table review_vote (
  subaccount_id uuid   not null,
  receiver_id   uuid   not null,
  person_id     text   not null,
  who           text   not null,
  version       text   not null,
  at_ms         bigint not null,
  primary key (subaccount_id, receiver_id, person_id),
  foreign key (subaccount_id, receiver_id) references receiver
);
