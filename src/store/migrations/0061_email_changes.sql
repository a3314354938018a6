-- Addresses that accounts want instead of theirs, until somebody confirms them by the link in a mail; one for each.
create table email_changes (
  realm_id int not null,
  id bigint generated always as identity,
  user_id int not null,
  email text not null,
  -- UNIX seconds
  requested_at bigint not null,
  primary key (realm_id, id),
  unique (realm_id, user_id)
);
