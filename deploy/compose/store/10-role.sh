#!/usr/bin/env bash
# The store's first start: an ordinary role and its database. The superuser keeps no password, so nobody is
# it over the network.
set -euo pipefail
psql --username postgres --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
create role geoopslag login password :'password';
create database geoopslag owner geoopslag encoding 'UTF8' template template0;
\connect geoopslag
create extension postgis;
alter role postgres password null;
SQL
