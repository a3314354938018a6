-- The spans that end with unread messages (store/messages/flags/left-channels.ts). Every deletion asks for those of its
-- channel; they are few, because a job clears read_up_to soon after.
-- step: concurrently
create index concurrently if not exists membership_spans_left on membership_spans (realm_id, channel_id)
where read_up_to is not null;
