-- API keys with a name, a scope and an end date (domain/api-keys/api-keys.ts). Every replica holds these rows in memory.
create table api_keys (
  realm_id int not null,
  id int not null,
  user_id int not null,
  name text not null,
  -- SHA-256 of the key, as hexadecimal digits: the key itself is stored nowhere
  token_hash text not null,
  scope text not null,
  key_version int not null,
  -- UNIX seconds
  created_at bigint not null,
  -- UNIX seconds; null: it does not expire
  expires_at bigint,
  primary key (realm_id, id)
);
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;

-- When a key was last used, which no replica needs in memory.
create table api_key_uses (
  realm_id int not null,
  key_id int not null,
  -- UNIX seconds; null: it was not used
  last_used_at bigint,
  primary key (realm_id, key_id),
  foreign key (realm_id, key_id) references api_keys (realm_id, id) on delete cascade
);
