-- What was deployed here, and since when (UNIX seconds). Clients are told when something else is (store/realm/releases.ts).
create table releases (
  name text primary key,
  began_at bigint not null
);
