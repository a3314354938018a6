-- How far its user had read when a span of membership closed; null once the rest is marked as read, and while open.
alter table membership_spans add column read_up_to bigint;
