-- When people were last seen. Unlogged: after a crash of Postgres everybody is seen again within a minute.
create unlogged table presence (
  realm_id int not null,
  user_id int not null,
  active_at bigint not null,
  connected_at bigint not null,
  update_id bigint not null,
  primary key (realm_id, user_id)
);
create index presence_updates on presence (realm_id, update_id);

-- The last update of a realm: its row orders updates, so who has seen one has seen all before it.
create unlogged table presence_heads (
  realm_id int primary key,
  update_id bigint not null
);
