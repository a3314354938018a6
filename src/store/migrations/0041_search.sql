-- The words of messages for full-text search, filled in behind the sends by a worker (store/search.ts): computing them
-- costs several times what storing a message does. Every row has the realm as a word, `@` and its number, because the
-- index holds all realms.
create table message_words (
  realm_id int not null,
  message_id bigint not null,
  words tsvector not null,
  primary key (realm_id, message_id)
);
create index message_words_words on message_words using gin (words);

-- Up to which message a realm's words are there; later ones are read as they are.
create table search_marks (
  realm_id int primary key,
  indexed_up_to bigint not null
);
