-- Which deployment of Parley this database belongs to, which of its cells it is, and in which Postgres it was when a
-- process first used it: a copy of the rows elsewhere is recognized by it (store/deployment/identity.ts).
create table deployment (
  id text primary key,
  cell text not null,
  database text
);
insert into deployment (id, cell) values (replace(gen_random_uuid()::text, '-', ''), left(md5(gen_random_uuid()::text), 8));
