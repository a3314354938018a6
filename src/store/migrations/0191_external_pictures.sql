-- Pictures of other sites, which this server shows instead of those sites (store/files/external-pictures.ts). What is lost
-- is loaded again, so the table need not be in the log.
create table external_pictures (
  realm_id int not null,
  -- the hash of the address
  id text not null,
  -- the key of the picture in the file storage; null: it is being loaded, or could not be loaded
  key text,
  content_type text,
  size int not null default 0,
  -- UNIX seconds: since when it is being loaded, or when that ended
  asked_at bigint not null,
  is_loading boolean not null,
  -- UNIX seconds, to the hour
  used_at bigint not null,
  primary key (realm_id, id)
);
create index external_pictures_asked on external_pictures (asked_at);
