-- A receiver is erased at the console by two users: one requests it, another approves. The request is a change request.

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check (kind in ('key', 'limits', 'erasure'));
