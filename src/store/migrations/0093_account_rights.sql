-- What whoever runs the server may take from administrators of an organization that it hosts.
alter table users add column can_create_users boolean not null default true;
alter table users add column can_change_user_emails boolean not null default true;
