-- What a deleted message needs to be restored, beside its row (store/messages/editing/deleted-messages.ts).
-- actor_id: who deleted it; null: the retention time, the server or the command line. deletion_id: the request that
-- deleted it, with the other messages of the request. belongings: its flags, reactions, submessages and files.
-- step: transaction
alter table deleted_messages add column actor_id int, add column deletion_id text, add column belongings jsonb;
-- step: concurrently
create index concurrently if not exists deleted_messages_newest on deleted_messages (realm_id, deleted_at, id);
-- step: concurrently
create index concurrently if not exists deleted_messages_deletion on deleted_messages (realm_id, deletion_id, id);
