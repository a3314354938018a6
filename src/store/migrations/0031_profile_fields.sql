-- Profile fields of an organization. What an account says in them is on its own row, by the id of the field.

create table profile_fields (
  realm_id int not null,
  id int not null,
  name text not null,
  field_type int not null,
  hint text not null,
  -- JSON text, or empty
  field_data text not null,
  position int not null,
  required boolean not null,
  editable_by_user boolean not null,
  display_in_profile_summary boolean not null,
  primary key (realm_id, id),
  unique (realm_id, name)
);

alter table users add column profile_data jsonb not null default '{}';
