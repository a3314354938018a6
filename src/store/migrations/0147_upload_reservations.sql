-- Bytes that unfinished resumable uploads of an organization may still become: the sum of their sizes. They count
-- against the quota from the beginning of an upload until its end.
alter table upload_usage add column reserved bigint not null default 0;
insert into upload_usage (realm_id, bytes, reserved)
select realm_id, 0, sum(size) from resumable_uploads group by realm_id
on conflict (realm_id) do update set reserved = excluded.reserved;

-- The number of stored parts, which is limited, and the uploads of a user, whose number is limited too.
alter table resumable_uploads add column parts int not null default 0;
create index resumable_uploads_owner on resumable_uploads (realm_id, owner_id);
