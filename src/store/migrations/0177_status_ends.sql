-- When a status ends by itself, in UNIX seconds; null: when the user clears it (workers/accounts/end-status.ts).
alter table user_statuses add column ends_at bigint;
