-- What of a person every replica holds in memory, because sending a message or showing people asks for it.

create table alert_words (
  realm_id int not null,
  user_id int not null,
  words jsonb not null,
  primary key (realm_id, user_id)
);

create table user_mutes (
  realm_id int not null,
  user_id int not null,
  -- who is muted, and since when: a list of {id, timestamp}
  muted_users jsonb not null,
  primary key (realm_id, user_id)
);

create table user_statuses (
  realm_id int not null,
  user_id int not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (realm_id, user_id)
);
