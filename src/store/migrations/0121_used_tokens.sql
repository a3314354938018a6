-- JSON web tokens that were used to log in, so that each logs in once; until they expire.
create table used_tokens (
  realm_id int not null,
  -- SHA-256 of the signed part of the token
  token_hash bytea not null,
  -- UNIX seconds
  expires_at bigint not null,
  primary key (realm_id, token_hash)
);
