-- Whether an organization is being moved to another cell, or was moved: its calls are refused here
-- (store/realm/realm-move.ts).
alter table realms add column is_moving boolean not null default false;
