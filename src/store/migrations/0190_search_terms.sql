-- The words of messages in all their forms (store/messages/narrow/search-index.ts). The previous release goes on with
-- message_words, which it fills itself.
-- step: transaction
create table message_terms (
  realm_id int not null,
  message_id bigint not null,
  -- null: the message was changed since, or its words are not known yet
  terms tsvector,
  primary key (realm_id, message_id)
);
create index message_terms_terms on message_terms using gin (terms);
create index message_terms_changed on message_terms (realm_id, message_id) where terms is null;
-- The messages after terms_from, up to terms_up_to, are in message_terms; null: none is yet.
alter table search_marks add column terms_from bigint, add column terms_up_to bigint;
-- A changed message is read directly until its words are computed, whichever release changes it.
create function forget_message_terms() returns trigger language plpgsql as $$
begin
  insert into message_terms (realm_id, message_id) values (new.realm_id, new.id)
  on conflict (realm_id, message_id) do update set terms = null;
  return null;
end
$$;
create trigger messages_forget_terms after update of topic, rendered_content on messages for each row
when (old.topic is distinct from new.topic or old.rendered_content is distinct from new.rendered_content)
execute function forget_message_terms();
