-- Who may join an organization: one person by their address, or whoever has a link (email is null).
-- What is used up, revoked or over by its inviter's leaving is gone; a revoked link stays, to be told apart.
create table invitations (
  realm_id int not null,
  id bigint generated always as identity,
  email text,
  invited_by int not null,
  -- UNIX seconds; expires_at null: never
  invited_at bigint not null,
  expires_at bigint,
  invited_as int not null,
  channel_ids int[] not null,
  group_ids int[] not null,
  include_realm_default_subscriptions boolean not null,
  notify_referrer_on_join boolean not null,
  is_revoked boolean not null default false,
  primary key (realm_id, id)
);
create unique index invitations_email on invitations (realm_id, lower(email)) where email is not null;
