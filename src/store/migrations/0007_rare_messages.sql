-- Messages that are few among others, and that a narrow may ask for alone. Without these indexes a reader's whole
-- history would be read to find that there is none.

create index messages_resolved on messages (realm_id, channel_id, id)
  where channel_id is not null and starts_with(topic, '✔ ');
create index messages_having on messages (realm_id, channel_id, id) include (has_link, has_image, has_attachment)
  where channel_id is not null and (has_link or has_image or has_attachment);
create index messages_dm_having on messages (realm_id, dm_id, id) include (has_link, has_image, has_attachment)
  where dm_id is not null and (has_link or has_image or has_attachment);
