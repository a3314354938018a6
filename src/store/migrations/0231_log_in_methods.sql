-- Providers with which users log in, as owners set them up (domain/log-in/methods.ts). Every replica holds these rows.
create table log_in_methods (
  realm_id int not null,
  id int not null,
  kind text not null,
  name text not null,
  is_enabled boolean not null,
  options jsonb not null,
  -- encrypted with the secret of the deployment
  sealed_secret text not null,
  primary key (realm_id, id)
);

-- Which account of a provider belongs to which account here (store/log-in/identities.ts).
create table identities (
  realm_id int not null,
  user_id int not null,
  -- the id of a row of log_in_methods, or the name of a provider of the operator
  method text not null,
  issuer text not null,
  subject text not null,
  -- the address at the provider when the user last logged in, for people to read only
  email text not null,
  -- UNIX seconds
  linked_at bigint not null,
  last_used_at bigint not null,
  primary key (realm_id, user_id, method)
);
create unique index identities_subject on identities (realm_id, method, issuer, subject);

-- The sessions that began with a provider, which can end them (store/log-in/provider-sessions.ts).
create table provider_sessions (
  realm_id int not null,
  session_id int not null,
  method text not null,
  issuer text not null,
  subject text not null,
  -- the session at the provider; '' if it does not say
  sid text not null,
  -- encrypted: the provider gets it back when the user logs out; null: it was too long, or the provider wants none
  sealed_id_token text,
  primary key (realm_id, session_id),
  foreign key (realm_id, session_id) references sessions (realm_id, id) on delete cascade
);
create index provider_sessions_subject on provider_sessions (realm_id, method, issuer, subject);
