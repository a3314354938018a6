-- Administrative acts, written in the transaction of the change. Not a part of the realm's log, which is trimmed.
create table audit_log (
  realm_id int not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- null: a caller without an account, or the command line
  user_id int,
  address text not null,
  action text not null,
  changes jsonb not null,
  primary key (realm_id, id)
);
create index audit_log_at on audit_log (at);
