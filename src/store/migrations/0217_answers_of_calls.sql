-- Other calls that a client may repeat: the members of the first answer, as encrypted JSON
-- (store/log/call-key.ts).
-- contract: unused since v0.1.0, which has no such table.
-- squawk-ignore ban-drop-not-null
alter table idempotency_keys alter column message_id drop not null;
alter table idempotency_keys add column answer text;
