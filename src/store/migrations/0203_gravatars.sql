-- Whether the account shows the Gravatar of its address while it has no uploaded picture. No account does before its
-- organization chooses it.
alter table users add column uses_gravatar boolean not null default false;
