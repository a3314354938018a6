-- What the Notification Bot writes to users who join by this invitation; null: the text of the organization.
alter table invitations add column welcome_message text;
