-- The open job that ends the status of a user (store/users/status-ends.ts). There is at most one for each user.
-- step: concurrently
create index concurrently if not exists jobs_open_status_ends on jobs (realm_id, ((payload ->> 'user_id')::int))
where kind = 'end_status' and done_at is null;
