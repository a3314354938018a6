-- Messages, and what each reader adds to them. There is no row per recipient (see store/messages.ts).

create table messages (
  realm_id int not null,
  id bigint not null,
  sender_id int not null,
  channel_id int,
  dm_id int,
  topic text not null,
  content text not null,
  rendered_content text not null,
  timestamp bigint not null,
  client text not null,
  is_me_message boolean not null,
  -- the sender has read it by sending it
  sender_read boolean not null,
  has_link boolean not null,
  has_image boolean not null,
  has_attachment boolean not null,
  last_edit_timestamp bigint,
  last_moved_timestamp bigint,
  edit_history jsonb,
  primary key (realm_id, id),
  check ((channel_id is null) <> (dm_id is null))
);
create index messages_channel on messages (realm_id, channel_id, id) where channel_id is not null;
create index messages_topic on messages (realm_id, channel_id, lower(topic), id) where channel_id is not null;
create index messages_dm on messages (realm_id, dm_id, id) where dm_id is not null;
create index messages_sender on messages (realm_id, sender_id, id);

-- A direct-message conversation is its set of participants, the caller included, ids ascending.
create table dm_conversations (
  realm_id int not null,
  id int generated always as identity,
  user_ids int[] not null,
  primary key (realm_id, id),
  unique (realm_id, user_ids)
);

-- Who takes part, and up to where each has read.
create table dm_members (
  realm_id int not null,
  user_id int not null,
  dm_id int not null,
  read_up_to bigint not null default 0,
  primary key (realm_id, user_id, dm_id)
);

-- Up to where a subscriber has read a channel: everything up to here is read, later messages are unless flagged.
create table channel_reads (
  realm_id int not null,
  user_id int not null,
  channel_id int not null,
  read_up_to bigint not null,
  primary key (realm_id, user_id, channel_id)
);

-- When a user was subscribed, in message ids: [from_message, to_message), open while subscribed. What they received.
create table membership_spans (
  realm_id int not null,
  user_id int not null,
  channel_id int not null,
  from_message bigint not null,
  to_message bigint,
  primary key (realm_id, user_id, channel_id, from_message)
);

-- Flags of a message for a user, as bits (domain/flags.ts), only where they differ from the default.
create table message_flags (
  realm_id int not null,
  user_id int not null,
  message_id bigint not null,
  flags int not null,
  primary key (realm_id, user_id, message_id)
);
create index message_flags_message on message_flags (realm_id, message_id);
