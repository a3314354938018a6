-- Reactions to messages, in the order in which they came.
create table reactions (
  realm_id int not null,
  message_id bigint not null,
  user_id int not null,
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  id bigint generated always as identity,
  primary key (realm_id, message_id, user_id, reaction_type, emoji_code)
);

-- Who received a message and is gone since: few, and asked for by channel.
create index membership_spans_closed on membership_spans (realm_id, channel_id, to_message)
  where to_message is not null;
