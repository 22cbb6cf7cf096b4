-- Lines that may repeat others are listed and counted without reading all lines of the connection.
-- outside a transaction

-- What an interrupted build left behind can't be used.
drop index concurrently if exists bank_statement_line_doubtful;
create index concurrently bank_statement_line_doubtful on bank_statement_line (connection_id, id) where status = 'doubtful';
