-- Registrations of event queues. A queue holds no events: it is a cursor into the log plus a profile.
-- Unlogged: after a crash of Postgres a client registers again, which the protocol provides for.
create unlogged table event_queues (
  realm_id int not null,
  id uuid not null,
  user_id int not null,
  profile text not null,
  -- the log position of the memory part of its snapshot, and of the database part
  state_seq bigint not null,
  content_seq bigint not null,
  lifespan_secs int not null,
  expires_at timestamptz not null,
  primary key (realm_id, id)
);
create index event_queues_expiry on event_queues (expires_at);

-- Work that outlives its request. The row is written with the change that wants it, and marked done with its effect.
create table jobs (
  id bigint generated always as identity primary key,
  realm_id int not null,
  kind text not null,
  payload json not null,
  created_at timestamptz not null default now(),
  run_after timestamptz not null default now(),
  done_at timestamptz,
  attempts int not null default 0
);
create index jobs_open on jobs (run_after) where done_at is null;
