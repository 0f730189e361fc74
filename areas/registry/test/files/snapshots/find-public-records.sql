select
  "p"."identifier",
  "p"."owner",
  "p"."metadata",
  "p"."is_listed" as "isListed",
  "p"."icon_sha256" as "iconSha256",
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'version',
            v.version,
            'status',
            v.status,
            'metadata',
            v.metadata,
            'archiveSha256',
            v.archive_sha256,
            'archiveSize',
            v.archive_size,
            'installSize',
            v.install_size,
            'manifestSha256',
            v.manifest_sha256,
            'isYanked',
            v.yanked_at is not null,
            'yankReason',
            v.yank_reason
          )
          order by
            v.sort_key desc
        ),
        '[]'
      )
    from
      package_versions v
    where
      v.identifier = p.identifier
      and p.is_listed
  ) as "versions"
from
  "packages" as "p"
where
  "p"."identifier" in ($1, $2)
  and "p"."visibility" = $3
  and "p"."quarantined_at" is null;
