-- Whether the archive of an export has an audit log, which only owners read. Of older archives nobody knows, so they
-- count as such.
alter table realm_exports add column has_audit_log boolean not null default true;
