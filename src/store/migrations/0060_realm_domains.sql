-- The domains that addresses of accounts must be of, where an organization restricts them; held in memory.
create table realm_domains (
  realm_id int not null,
  id int not null,
  domain text not null,
  allow_subdomains boolean not null,
  primary key (realm_id, id),
  unique (realm_id, domain)
);
