-- Named groups of channels, the same for everybody; held in memory like the channels.
create table channel_folders (
  realm_id int not null,
  id int not null,
  name text not null,
  description text not null,
  rendered_description text not null,
  date_created bigint not null,
  creator_id int,
  is_archived boolean not null,
  primary key (realm_id, id)
);
create unique index channel_folders_name on channel_folders (realm_id, lower(name));
