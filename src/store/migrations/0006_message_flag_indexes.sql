-- A reader's rows of flags that a narrow asks for. Most rows only say `read`, and there may be very many of them.
-- The numbers are bits of domain/flags.ts; a statement must spell them the same way to use the index.

create index message_flags_starred on message_flags (realm_id, user_id, message_id) where flags & 2 <> 0;
create index message_flags_mentioned on message_flags (realm_id, user_id, message_id) where flags & 120 <> 0;
create index message_flags_alerted on message_flags (realm_id, user_id, message_id) where flags & 512 <> 0;
-- historical, unread, outside: what spans of membership and pointers do not tell
create index message_flags_apart on message_flags (realm_id, user_id, message_id) where flags & 7168 <> 0;
