-- Exports of an organization's data: who asked, what for, and where the archive is.
create table realm_exports (
  realm_id int not null,
  id int generated always as identity,
  acting_user_id int not null,
  -- 1 what is public, 2 with what people consented to
  export_type int not null,
  -- UNIX seconds
  export_time bigint not null,
  deleted_timestamp bigint,
  failed_timestamp bigint,
  -- of the archive, in its address and among the files; null while it is made
  secret text,
  -- the organization's address, as the one who asked knows it
  realm_url text not null,
  primary key (realm_id, id)
);
