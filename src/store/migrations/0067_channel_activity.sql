-- How much is written in a channel; null while it is too young to tell.
alter table channels add column stream_weekly_traffic int;
create table channel_counts (
  realm_id int primary key,
  counted_at timestamptz not null
);
