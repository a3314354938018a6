-- The organization's own pictures (domain/realm-pictures.ts), and how much its uploaded files may take up.
alter table realms add column pictures jsonb not null default '{}';
alter table realms add column upload_quota_mib int;
