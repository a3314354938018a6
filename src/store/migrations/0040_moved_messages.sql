-- The channel whose spans of membership and pointers tell who received a message that was moved to another channel,
-- and who had read it there (store/moved.ts). 0: only rows of flags tell. Null: the message is where it was sent.
alter table messages add column origin_channel_id int;
create index messages_origin on messages (realm_id, origin_channel_id, id) where origin_channel_id is not null;

-- To whom a message was sent that has moved on: its holders cannot be asked of the subscribers where it is now.
create index membership_spans_open on membership_spans (realm_id, channel_id) where to_message is null;
