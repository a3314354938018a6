-- What one person wrote, by where it stands: a conversation's number is negative. A reader's page of a sender is put
-- together from the places that they share, and never walks through what the sender writes elsewhere.
create index messages_sender_place on messages (realm_id, sender_id, coalesce(channel_id, -dm_id), id);
drop index messages_sender;
