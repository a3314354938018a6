-- Durable subscriptions, whose events the server delivers (store/event-subscriptions/subscription-rows.ts).
create table event_subscriptions (
  realm_id int not null,
  id uuid not null,
  -- whose events, and the account that answers for them: the same, or the owner of the bot
  user_id int not null,
  owner_id int not null,
  name text not null,
  -- http, nats or kafka, and the URL, subject or topic
  sink text not null,
  address text not null,
  -- the filter, as in event_queues
  profile text not null,
  -- the sections of a snapshot; null: all
  fetch_event_types text[],
  -- what follows when the log does not have the position any more: snapshot or stop
  on_gap text not null,
  -- active, paused or broken, and why it is broken
  state text not null default 'active',
  reason text,
  -- the position: everything up to here was delivered, or is not for this subscription
  seq bigint not null,
  -- content entries up to here are in the snapshot that was delivered
  content_seq bigint not null,
  wants_snapshot boolean not null,
  -- the version of the account's key at the last time its owner agreed
  key_version int not null,
  secret_version int not null default 1,
  former_secret_until timestamptz,
  -- increased by each change of its owner
  version int not null default 1,
  -- not before this time; while a worker delivers: until when the row is reserved for it
  run_after timestamptz not null default now(),
  runner uuid,
  -- failed attempts in a row
  failures int not null default 0,
  failing_since timestamptz,
  -- the last failures, the newest first
  errors jsonb not null default '[]',
  is_owner_told boolean not null default false,
  delivered bigint not null default 0,
  delivered_at timestamptz,
  -- a test that is to be delivered, and how the last one ended
  test_id uuid,
  test_outcome jsonb,
  created_at timestamptz not null default now(),
  primary key (realm_id, id)
) with (fillfactor = 50);
create index event_subscriptions_owner on event_subscriptions (realm_id, owner_id);
