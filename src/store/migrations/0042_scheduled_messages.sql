-- Messages to be sent later, to a channel or to people (ids ascending, the sender not among them unless alone).
create table scheduled_messages (
  realm_id int not null,
  id int generated always as identity,
  user_id int not null,
  channel_id int,
  user_ids int[],
  topic text not null,
  content text not null,
  rendered_content text not null,
  deliver_at bigint not null,
  client text not null,
  realm_url text not null,
  read_by_sender boolean,
  failed boolean not null default false,
  primary key (realm_id, id),
  check ((channel_id is null) <> (user_ids is null))
);
create index scheduled_messages_user on scheduled_messages (realm_id, user_id, deliver_at, id);
