-- A realm (organization), its log, and its structure: the rows that every replica holds in memory.
-- realm_id leads every key, so that the tables can be distributed by realm.

create table realms (
  id int generated always as identity primary key,
  string_id text not null unique,
  name text not null,
  description text not null default '',
  date_created bigint not null,
  is_active boolean not null default true,
  settings jsonb not null default '{}',
  user_settings_defaults jsonb not null default '{}'
);

-- The counters every commit moves, apart from the realm's row so that the row they rewrite is narrow.
-- fillfactor leaves room on the page: the update stays a heap-only one, however hot.
create table log_heads (
  realm_id int primary key references realms (id),
  log_seq bigint not null default 0,
  state_seq bigint not null default 0,
  last_message_id bigint not null default 0
) with (fillfactor = 10);

create table log (
  realm_id int not null,
  seq bigint not null,
  kind text not null,
  audience json not null,
  data json not null,
  rows json,
  message_id bigint,
  at timestamptz not null default now(),
  primary key (realm_id, seq)
);
create index log_structural on log (realm_id, seq) where rows is not null;
create index log_at on log using brin (at);

create table users (
  realm_id int not null,
  id int not null,
  email text not null,
  delivery_email text not null,
  full_name text not null,
  role int not null,
  is_active boolean not null,
  is_bot boolean not null,
  bot_type int,
  bot_owner_id int,
  is_system_bot boolean not null,
  date_joined bigint not null,
  timezone text not null,
  avatar_source text not null,
  avatar_version int not null,
  key_version int not null,
  settings jsonb not null,
  primary key (realm_id, id)
);
create unique index users_delivery_email on users (realm_id, lower(delivery_email));

-- Apart from the account, because memory never holds it.
create table passwords (
  realm_id int not null,
  user_id int not null,
  password_hash text not null,
  primary key (realm_id, user_id)
);

create table channels (
  realm_id int not null,
  id int not null,
  name text not null,
  description text not null,
  rendered_description text not null,
  date_created bigint not null,
  creator_id int,
  invite_only boolean not null,
  is_web_public boolean not null,
  history_public_to_subscribers boolean not null,
  message_retention_days int,
  is_archived boolean not null,
  is_recently_active boolean not null,
  topics_policy text not null,
  folder_id int,
  can_add_subscribers_group jsonb not null,
  can_administer_channel_group jsonb not null,
  can_move_messages_out_of_channel_group jsonb not null,
  can_move_messages_within_channel_group jsonb not null,
  can_remove_subscribers_group jsonb not null,
  can_send_message_group jsonb not null,
  can_subscribe_group jsonb not null,
  primary key (realm_id, id)
);
create unique index channels_name on channels (realm_id, lower(name));

create table subscriptions (
  realm_id int not null,
  user_id int not null,
  channel_id int not null,
  active boolean not null,
  color text not null,
  is_muted boolean not null,
  pin_to_top boolean not null,
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (realm_id, user_id, channel_id)
);

create table groups (
  realm_id int not null,
  id int not null,
  name text not null,
  description text not null,
  is_system_group boolean not null,
  creator_id int,
  date_created bigint,
  deactivated boolean not null,
  can_add_members_group jsonb not null,
  can_join_group jsonb not null,
  can_leave_group jsonb not null,
  can_manage_group jsonb not null,
  can_mention_group jsonb not null,
  can_remove_members_group jsonb not null,
  primary key (realm_id, id)
);

create table group_members (
  realm_id int not null,
  group_id int not null,
  user_id int not null,
  primary key (realm_id, group_id, user_id)
);

create table group_subgroups (
  realm_id int not null,
  group_id int not null,
  subgroup_id int not null,
  primary key (realm_id, group_id, subgroup_id)
);

create table default_channels (
  realm_id int not null,
  channel_id int not null,
  primary key (realm_id, channel_id)
);

create table counters (
  realm_id int not null,
  name text not null,
  value int not null,
  primary key (realm_id, name)
);
