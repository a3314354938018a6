-- The API key version and the address that an account had when the change was requested: with other ones, the link of an
-- open request is no longer valid.
alter table email_changes
  add column key_version int not null default 0,
  add column former_email text not null default '';
