-- What the operator permits an organization to have: active accounts of humans, stored messages, and calls of all its
-- accounts in a minute. Null: there is no limit.
alter table realms add column user_quota int, add column message_quota bigint, add column call_quota int;
