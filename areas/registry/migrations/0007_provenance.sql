-- expand
-- What a CI service has said of the job that published the version; null for those that a person published.
alter table package_versions add column provenance jsonb;
