select
  "id",
  "created_at"
from
  "installation";
