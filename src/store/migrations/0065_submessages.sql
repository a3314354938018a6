-- What hangs on a message that is a widget: first the widget, then what people did with it, by ids ascending.
-- The ids come from a sequence, because a message's own event already names its first.
create sequence submessage_ids;
create table submessages (
  realm_id int not null,
  message_id bigint not null,
  id bigint not null default nextval('submessage_ids'),
  sender_id int not null,
  msg_type text not null,
  content text not null,
  primary key (realm_id, message_id, id)
);
