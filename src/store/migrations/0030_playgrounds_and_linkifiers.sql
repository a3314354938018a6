-- What an organization sets up for its messages, held in memory like channels.

create table playgrounds (
  realm_id int not null,
  id int not null,
  name text not null,
  pygments_language text not null,
  url_template text not null,
  primary key (realm_id, id),
  unique (realm_id, pygments_language, name)
);

create table linkifiers (
  realm_id int not null,
  id int not null,
  pattern text not null,
  url_template text not null,
  -- its place in the list: what an earlier one turned into a link, a later one does not see
  position int not null,
  primary key (realm_id, id),
  unique (realm_id, pattern)
);
