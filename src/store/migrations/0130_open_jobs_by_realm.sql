-- A worker looks for the due jobs of one realm and kind, and for the realms that have any.
create index jobs_open_by_realm on jobs (realm_id, kind, run_after) where done_at is null;
drop index jobs_open;
