-- Bodies of one kind have the same fields, again and again: their names are kept once, and a row of the request log
-- has the number of its shape and the values that are kept. It is nobody's: the names are those of the interface.
create table request_shape (
  id     int  generated always as identity primary key,
  fields text not null unique
);
