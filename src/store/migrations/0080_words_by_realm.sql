-- A word in the index is one of a realm: its number and a colon come before the stem (store/messages/narrow/search-index.ts, 4).
-- With the realm as a word of its own, beside the others, a rare word was looked for among all that the realm says:
-- Postgres read a page of that list for each message with the word. The worker computes all words anew.
drop table message_words;
create table message_words (
  realm_id int not null,
  message_id bigint not null,
  words text[] not null,
  primary key (realm_id, message_id)
);
create index message_words_words on message_words using gin (words);
truncate search_marks;
