-- Administrative acts that can be undone: what an act changed, complete and compact (domain/audit/reversal.ts). Null: an
-- act of an earlier release.
alter table audit_log add column reversal jsonb;
-- The same for all acts of one call: a large request is several changes, with an act each.
alter table audit_log add column request uuid;
-- The act that this one undoes, and the act that undid this one.
alter table audit_log add column undoes bigint;
alter table audit_log add column undone_by bigint;
