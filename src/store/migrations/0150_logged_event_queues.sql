-- A crash of Postgres empties unlogged tables, and clients that were connected would have to register again.
alter table event_queues set logged;
