-- The words of uploaded files for full-text search (store/messages/narrow/file-words.ts), and whether a file was read.
-- step: transaction
alter table attachments add column is_read boolean not null default false;
create table file_words (
  realm_id int not null,
  attachment_id bigint not null,
  words tsvector not null,
  primary key (realm_id, attachment_id)
);
create index file_words_words on file_words using gin (words);
-- The files that a worker still has to read: those of former releases, and those whose job was lost.
-- step: concurrently
create index concurrently if not exists attachments_unread on attachments (realm_id, id)
where unclaimed_since is null and not is_read and image is null;
