-- Deleted messages are kept for a while, for whoever runs the server; no client sees them (store/deletion.ts).
create table deleted_messages (
  realm_id int not null,
  id bigint not null,
  deleted_at timestamptz not null default now(),
  message jsonb not null,
  primary key (realm_id, id)
);
create index deleted_messages_age on deleted_messages (deleted_at);
