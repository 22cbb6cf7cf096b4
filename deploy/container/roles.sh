#!/bin/sh
# Creates the database and its two roles: the owner, who migrates, and the role as which the service signs in.
set -eu
psql --set=ON_ERROR_STOP=1 --username postgres --set=owner="$OWNER_PASSWORD" --set=app="$APP_PASSWORD" <<'END'
create role disburse_owner login createrole password :'owner';
create database disburse owner disburse_owner;
set role disburse_owner;
create role disburse_app login password :'app';
END
