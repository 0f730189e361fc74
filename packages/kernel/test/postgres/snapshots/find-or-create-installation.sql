insert into
  "installation"
default values
on conflict ("singleton") do update
set
  "singleton" = $1
returning
  "id",
  "created_at";
