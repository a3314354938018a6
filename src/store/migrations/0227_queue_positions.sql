-- The named positions of accounts in the log: up to which event a bot has answered (store/log/event-ack.ts).
create table queue_positions (
  realm_id int not null,
  user_id int not null,
  name text not null,
  -- the last event that was acknowledged
  event_id bigint not null,
  used_at timestamptz not null default now(),
  primary key (realm_id, user_id, name)
);
-- The position that acknowledgements of this queue move.
alter table event_queues add column position_name text;
