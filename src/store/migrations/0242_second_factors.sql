-- What an account needs beside its password: one-time codes of an app (store/second-factor/second-factors.ts).
create table second_factors (
  realm_id int not null,
  user_id int not null,
  -- encrypted with the secret of the deployment
  sealed_secret text not null,
  -- the time step of the last code that was accepted: no code of this or an earlier step is accepted
  last_step bigint not null,
  -- UNIX seconds
  added_at bigint not null,
  primary key (realm_id, user_id)
);

-- Codes on paper for users who have lost their app. Each is accepted once: its row is deleted then.
create table recovery_codes (
  realm_id int not null,
  user_id int not null,
  code_hash text not null,
  primary key (realm_id, user_id, code_hash)
);
