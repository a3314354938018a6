-- Whether everybody who received it has a row of flags (domain/messages/flags.ts, 2): these are found by the place to
-- which they were sent, a conversation's number being negative, and nobody goes through those of all channels.
alter table messages add column has_wildcard boolean not null default false;
update messages m set has_wildcard = true
from message_flags f
where f.user_id = 0 and f.realm_id = m.realm_id and f.message_id = m.id;
create index messages_wildcard on messages (realm_id, coalesce(origin_channel_id, channel_id, -dm_id), id)
  where has_wildcard;
