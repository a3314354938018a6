-- Since when no message leads to a file, in UNIX milliseconds; null while one does. What nobody wants for long goes.
alter table attachments add column unclaimed_since bigint;
update attachments a set unclaimed_since = create_time
where not exists (
  select from attachment_claims c where c.realm_id = a.realm_id and c.attachment_id = a.id
);
create index attachments_unclaimed on attachments (unclaimed_since) where unclaimed_since is not null;

-- Bytes of all files of an organization, counted as they come and go: a quota has to be asked at every upload.
create table upload_usage (
  realm_id int primary key,
  bytes bigint not null
);
insert into upload_usage (realm_id, bytes) select realm_id, sum(size) from attachments group by realm_id;
drop index attachments_size;
