-- Operators see which jobs failed and why.
alter table jobs add column last_error text;
create index jobs_failed on jobs (id) where done_at is null and attempts > 0;
