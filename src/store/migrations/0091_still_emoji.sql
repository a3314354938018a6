-- The picture of a custom emoji that moves, held still, beside the one that moves; null for those that do not, and for
-- those that are older than this.
alter table emoji add column still_file_name text;
