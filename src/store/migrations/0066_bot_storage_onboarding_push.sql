-- What a program keeps under its account: texts by key.
create table bot_storage (
  realm_id int not null,
  user_id int not null,
  key text not null,
  value text not null,
  primary key (realm_id, user_id, key)
);

-- Introductions that somebody has seen.
create table onboarding_steps (
  realm_id int not null,
  user_id int not null,
  step text not null,
  primary key (realm_id, user_id, step)
);

-- Devices that want push notifications; the same one may serve several accounts.
create table push_devices (
  realm_id int not null,
  user_id int not null,
  kind text not null,
  token text not null,
  app_id text,
  created_at timestamptz not null default now(),
  primary key (realm_id, user_id, kind, token)
);
