-- step: concurrently
-- Long answers are few: the bound of each account counts their bytes (store/log/call-key.ts).
create index concurrently if not exists idempotency_keys_long on idempotency_keys (realm_id, user_id)
  where octet_length(answer) > 4096;
-- step: concurrently
-- contract: unused since v0.1.0, which has no such table. The table is walked page by page (store/log/old-keys.ts).
drop index concurrently if exists idempotency_keys_at;
