-- Custom emoji. One that is deactivated stays, because old messages show it.
create table emoji (
  realm_id int not null,
  id int not null,
  name text not null,
  author_id int not null,
  deactivated boolean not null,
  -- below the organization's emoji pictures (store/files.ts)
  file_name text not null,
  primary key (realm_id, id)
);
