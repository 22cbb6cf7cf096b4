-- The credits of one payer: whom it funded before says whom it may fund now.
create index bank_statement_line_of_payer on bank_statement_line (connection_id, party, id)
  where amount > 0 and party <> '';
