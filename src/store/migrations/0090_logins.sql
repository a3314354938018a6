-- By which programs, and from where, accounts logged in of late: who logs in otherwise is mailed about it.
create table logins (
  realm_id int not null,
  user_id int not null,
  client text not null,
  network text not null,
  -- UNIX seconds
  last_at bigint not null,
  primary key (realm_id, user_id, client, network)
);
