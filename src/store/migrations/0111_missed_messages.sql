-- Up to which message it was looked who was away; what was sent before is told to nobody.
create table mail_marks (
  realm_id int primary key,
  looked_up_to bigint not null
);
insert into mail_marks (realm_id, looked_up_to) select realm_id, last_message_id from log_heads;

-- Messages that were for people who were away, until they are told of them by mail.
create table missed_messages (
  realm_id int not null,
  user_id int not null,
  message_id bigint not null,
  -- UNIX seconds
  due_at bigint not null,
  primary key (realm_id, user_id, message_id)
);
create index missed_messages_due on missed_messages (due_at);
