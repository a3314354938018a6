-- Outgoing webhooks whose server failed, since it last answered.
create table webhook_breakers (
  realm_id int not null,
  bot_id int not null,
  -- the address that failed: another one starts anew
  url text not null,
  -- in a row
  failures int not null,
  -- no call before this time; in the past until there are enough failures
  refused_until timestamptz not null,
  -- the bot's owner knows that calls are refused
  is_owner_told boolean not null default false,
  primary key (realm_id, bot_id)
);
