-- A registration deletes the account's queue that was not used for the longest time when it has too many.
create index event_queues_user on event_queues (realm_id, user_id);
