-- Sessions of browsers (domain/users/sessions.ts). Every replica holds these rows in memory.
create table sessions (
  realm_id int not null,
  id int not null,
  user_id int not null,
  -- SHA-256 of the token in the cookie, as hexadecimal digits: the token itself is stored nowhere
  token_hash text not null,
  key_version int not null,
  -- UNIX seconds
  created_at bigint not null,
  expires_at bigint not null,
  primary key (realm_id, id)
);
create index sessions_expiry on sessions (expires_at);

-- What a user sees of a session, which no replica needs in memory.
create table session_uses (
  realm_id int not null,
  session_id int not null,
  -- UNIX seconds
  last_used_at bigint not null,
  ip text not null,
  user_agent text not null,
  primary key (realm_id, session_id),
  foreign key (realm_id, session_id) references sessions (realm_id, id) on delete cascade
);
