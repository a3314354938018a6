-- Answers of SAML providers that were verified, until the browser comes with the cookie of its log-in
-- (store/log-in/saml-answers.ts).
create table saml_answers (
  realm_id int not null,
  code_hash bytea not null,
  -- the id of a row of log_in_methods, or the name of a provider of the operator
  method text not null,
  -- encrypted: what the provider says about the user
  sealed_answer text not null,
  -- UNIX seconds
  expires_at bigint not null,
  primary key (realm_id, code_hash)
);
