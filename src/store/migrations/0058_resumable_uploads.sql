-- Uploads that come in parts (tus). A part is a file of its own until all are there; nobody reads them, so the tables
-- need not be in the log.
create table resumable_uploads (
  realm_id int not null,
  id text not null,
  owner_id int not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  -- how much of it is there
  received bigint not null default 0,
  -- UNIX milliseconds of the last part
  touched bigint not null,
  primary key (realm_id, id)
);
create index resumable_uploads_touched on resumable_uploads (touched);

create table resumable_parts (
  realm_id int not null,
  upload_id text not null,
  "from" bigint not null,
  size bigint not null,
  key text not null,
  primary key (realm_id, upload_id, "from")
);
