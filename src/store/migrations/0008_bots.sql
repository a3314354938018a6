-- What bots have beside their accounts; held in memory like the accounts.
create table bots (
  realm_id int not null,
  user_id int not null,
  default_sending_channel_id int,
  default_events_register_channel_id int,
  default_all_public_streams boolean not null,
  service_name text not null,
  service_url text not null,
  service_interface int not null,
  config_data jsonb not null,
  primary key (realm_id, user_id)
);
