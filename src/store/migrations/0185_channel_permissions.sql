-- Who may begin topics, resolve topics and delete messages in a channel: role:everyone (7), and role:nobody (1) beside
-- those whom the organization permits it everywhere.
alter table channels
  add column can_create_topic_group jsonb not null default '7',
  add column can_delete_any_message_group jsonb not null default '1',
  add column can_delete_own_message_group jsonb not null default '1',
  add column can_resolve_topics_group jsonb not null default '1';
