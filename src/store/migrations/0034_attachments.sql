-- Uploaded files, and the messages that lead to them: who may read one of those may read the file.
create table attachments (
  id bigint generated always as identity,
  realm_id int not null,
  owner_id int not null,
  -- in its address: realm, a secret, and a name that is safe there
  path_id text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  -- UNIX milliseconds
  create_time bigint not null,
  primary key (realm_id, id),
  unique (realm_id, path_id)
);
create index attachments_owner on attachments (realm_id, owner_id);
create index attachments_size on attachments (realm_id) include (size);

create table attachment_claims (
  realm_id int not null,
  attachment_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, attachment_id, message_id)
);
create index attachment_claims_message on attachment_claims (realm_id, message_id);
