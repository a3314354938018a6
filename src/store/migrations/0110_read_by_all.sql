-- Messages that are news to nobody but those whose rows say so: a notice that a topic was resolved, for example.
alter table messages add column read_by_all boolean not null default false;
