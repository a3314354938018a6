-- What runs of the synchronization with directories did to accounts (domain/log-in/directory-synchronization.ts).
create table directory_accounts (
  realm_id int not null,
  user_id int not null,
  -- the key of the directory, which is the method of its identities
  directory text not null,
  -- the SHA-256 of the picture that a run has set; '' if there is none
  picture text not null default '',
  -- a run has deactivated the account, so a run may reactivate it
  is_deactivated boolean not null default false,
  primary key (realm_id, user_id, directory)
);

-- The last run of each directory in each organization (store/log-in/directory-runs.ts).
create table directory_runs (
  realm_id int not null,
  directory text not null,
  started_at timestamptz not null,
  -- '' while the first run goes on; done, stopped or failed
  result text not null default '',
  -- why it was stopped or failed
  reason text not null default '',
  primary key (realm_id, directory)
);
