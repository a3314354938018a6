-- The open reminders and the invitations of a user, whose numbers are limited.
create index jobs_open_reminders on jobs (realm_id, ((payload ->> 'user_id')::int))
  where kind = 'reminder' and done_at is null;
create index invitations_inviter on invitations (realm_id, invited_by);
