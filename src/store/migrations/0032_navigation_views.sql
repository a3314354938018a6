-- What a person has pinned to their sidebar, or put away from it.
create table navigation_views (
  realm_id int not null,
  user_id int not null,
  fragment text not null,
  is_pinned boolean not null,
  -- null: a built-in view, which has a name of its own
  name text,
  primary key (realm_id, user_id, fragment),
  unique (realm_id, user_id, name)
);
