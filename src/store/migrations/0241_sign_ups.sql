-- People who sign up without an invitation: until they confirm their address, and then while they wait for approval
-- (store/users/sign-ups.ts). The links in the mails are derived and stored nowhere.
create table sign_ups (
  realm_id int not null,
  id bigint generated always as identity,
  email text not null,
  -- UNIX seconds
  requested_at bigint not null,
  -- of the browser; '' if it does not say
  timezone text not null,
  language text not null,
  -- UNIX seconds; null: the address is not confirmed yet, and what follows is empty
  confirmed_at bigint,
  full_name text not null default '',
  password_hash text not null default '',
  -- names of groups of default channels
  channel_groups text[] not null default '{}',
  primary key (realm_id, id)
);
create unique index sign_ups_email on sign_ups (realm_id, lower(email));
