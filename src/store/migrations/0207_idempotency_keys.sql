-- Sends that a client may repeat: the message that the first one stored (store/messages/sending/send-once.ts).
create table idempotency_keys (
  realm_id int not null,
  user_id int not null,
  key uuid not null,
  -- what was asked for, hashed
  request uuid not null,
  message_id bigint not null,
  visibility_policy smallint,
  at timestamptz not null default now(),
  primary key (realm_id, user_id, key)
);
create index idempotency_keys_at on idempotency_keys using brin (at);
