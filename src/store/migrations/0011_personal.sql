-- What one person keeps for themselves: how they follow topics, drafts, snippets.

-- A policy other than "as the channel" (messages.md 5.3), under the spelling that set it.
create table user_topics (
  realm_id int not null,
  user_id int not null,
  channel_id int not null,
  topic text not null,
  visibility_policy int not null,
  last_updated bigint not null
);
create unique index user_topics_key on user_topics (realm_id, user_id, channel_id, lower(topic));
create index user_topics_topic on user_topics (realm_id, channel_id, lower(topic));

create table drafts (
  realm_id int not null,
  id int generated always as identity,
  user_id int not null,
  type text not null,
  "to" int[] not null,
  topic text not null,
  content text not null,
  timestamp bigint not null,
  primary key (realm_id, id)
);
create index drafts_user on drafts (realm_id, user_id, timestamp, id);

create table saved_snippets (
  realm_id int not null,
  id int generated always as identity,
  user_id int not null,
  title text not null,
  content text not null,
  date_created bigint not null,
  primary key (realm_id, id)
);
create index saved_snippets_user on saved_snippets (realm_id, user_id, id);
