-- The order in which clients show the folders; a new folder comes last.
alter table channel_folders add column position int not null default 0;
update channel_folders set position = id;
