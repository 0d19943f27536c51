-- expand
-- Who the store is, wherever it is promoted to: the hash of the address that it was first met at.
create table store_identity (
  id text not null check (id ~ '^[0-9a-f]{16}$'),
  is_only boolean primary key default true check (is_only)
);
