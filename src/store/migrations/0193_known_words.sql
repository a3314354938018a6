-- The words that messages and files have, for suggestions when a search finds little (store/messages/narrow/known-words.ts).
create table known_words (
  realm_id int not null,
  word text not null,
  -- about the logarithm of how often it was used
  rank int not null,
  -- the numbers that it shares with similar words
  keys int[] not null,
  primary key (realm_id, word)
) with (fillfactor = 80);
create index known_words_keys on known_words using gin (keys);
-- Up to which message the words of a realm were learnt.
create table known_word_marks (
  realm_id int primary key,
  learnt_up_to bigint not null
);
