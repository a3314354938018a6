-- Which users lost a message by a move to another channel (store/messages/moving/lost-access.ts).
-- kept_by: the recipients who kept it, if it was moved to a private channel. lost_by: the guests who lost it, if it was
-- moved to a public one. Null: no such move.
alter table messages add column kept_by int[], add column lost_by int[];
