-- Named sets of channels that new people may choose from.
create table default_channel_groups (
  realm_id int not null,
  id int not null,
  name text not null,
  description text not null,
  channel_ids jsonb not null,
  primary key (realm_id, id),
  unique (realm_id, name)
);
