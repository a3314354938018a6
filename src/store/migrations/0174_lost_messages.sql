-- Whose receipt of a message moves to other channels left standing (store/messages/moving/lost-access.ts).
-- kept_by: the recipients who kept the message, if it was moved into a private channel. lost_by: those who lost it,
-- if it was moved into a public one. Null: no such move.
alter table messages add column kept_by int[], add column lost_by int[];
