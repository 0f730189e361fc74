/** Of what was sent and cannot be taken, and of what failed on this side: 413 to 504. */
export const FAILURE_ADVICE = {
  body_too_large: {
    cause:
      'The body is larger than this address takes. Archives have the limit `PATCHBAY_MAX_ARCHIVE_MB`; other addresses have fixed ones.',
    fix: 'Send less, or send it in parts. A proxy in front may have a lower limit, but answers with a page of its own.',
  },
  unsupported_media_type: {
    cause: 'The `Content-Type` of the body is not the one that this address takes, or is missing.',
    fix: 'Look the address up at `/reference` and send its type. Most take `application/json`.',
  },
  range_not_satisfiable: {
    cause: 'The `Range` header asks for bytes beyond the end of the file.',
    fix: 'Ask again without `Range`, or within the size, which `Content-Range` of the answer has.',
  },
  host_not_allowed: {
    cause:
      'The `Host` header is not a name that this process answers for. This protects against web pages that point their own name at it.',
    fix: 'Use the public address. Operators add names with `PATCHBAY_ALLOWED_HOSTS` (or `PATCHBAY_GATEWAY_ALLOWED_HOSTS`, `PATCHBAY_WATCHDOG_ALLOWED_HOSTS`, `PATCHBAY_VIEWER_ALLOWED_HOSTS`), and have the proxy pass `Host` on.',
  },
  archive_refused: {
    cause:
      'The package archive is damaged, too large, or holds something that an archive must not hold. `reason` says what, and `entry` where.',
    fix: 'Build the archive again with `patchbay package pack`, and check it with `patchbay package validate` before publishing.',
  },
  board_file_refused: {
    cause:
      'The file is not of the kind that the operation works on, cannot be parsed, or has too much around it. `detail` says what, with line and column of a syntax error.',
    fix: 'Name a file of the right kind: `.kicad_sch`, `.kicad_pcb`, or the `.kicad_pro` beside it. If it cannot be parsed, open and save it with KiCad 6 or newer.',
  },
  board_library_refused: {
    cause:
      'The package is not of the type library, is too large for a workspace, or its archive cannot be used.',
    fix: 'Choose a package of the type library. `detail` says what is wrong with this one.',
  },
  command_invalid: {
    cause: 'The value has another type than the channel takes, or is outside its range or its choices.',
    fix: 'Read the channel of the device and send a value that fits. `detail` says what did not.',
  },
  content_mismatch: {
    cause: 'The SHA-256 of the bytes that arrived is not the one in the address.',
    fix: 'Hash exactly the bytes that you send, and send them again. If the hash is right, something on the way changes bodies.',
  },
  file_not_text: {
    cause:
      'The file is not UTF-8, holds characters that text does not have, or is too large to be edited as text.',
    fix: 'Read and write the whole file as bytes instead.',
  },
  invalid_edits: {
    cause: 'The edits do not fit the document: they expect another length than it has, or cannot be read.',
    fix: 'Read the document again and compute the edits from its current text.',
  },
  metadata_invalid: {
    cause:
      'The `metadata.json` of the archive does not follow the schema. `findings` lists what is wrong and where.',
    fix: 'Correct it, check it with `patchbay package validate`, and publish again.',
  },
  path_refused: {
    cause:
      'The path is empty or too long, has parts such as `..`, or characters that not every system can store.',
    fix: 'Use a plain relative path with `/` between its parts. `detail` says what is wrong with this one.',
  },
  picture_refused: {
    cause: 'The file is not a picture that can be read, is damaged, or is too large.',
    fix: 'Save it as PNG, JPEG or WebP and try again. `detail` says what was wrong.',
  },
  schematic_change_refused: {
    cause:
      'One of the changes does not fit the schematic. `change` says which one, `refusal` and `detail` why. Nothing was changed.',
    fix: 'Read the schematic again and correct that change.',
  },
  rate_limited: {
    cause:
      'Too many requests came from this address, API key or application in a short time, or too many connections or streams are open.',
    fix: 'Wait as long as `Retry-After` says, a few seconds where it is missing, then repeat the request. Nothing was changed. Programs that keep asking can often wait instead, with `wait` or an event stream.',
  },
  too_many_jobs: {
    cause: 'The workspaces of one owner have as many board jobs waiting or running as they may (50).',
    fix: 'Wait for one of them to end. Operators start more workers (`patchbay worker`).',
  },
  too_many_uploads: {
    cause: 'The viewer is busy with as many pictures as it takes at once.',
    fix: 'Wait as long as `Retry-After` says, then upload again.',
  },
  too_many_waiting: {
    cause: 'This process, or the device, has as many waiting requests of this kind as it takes.',
    fix: 'Wait a few seconds and repeat the request. Programs that wait for changes need only one such request at a time.',
  },
  headers_too_large: {
    cause: 'The request line and headers together are larger than the server reads.',
    fix: 'Shorten the address or the headers. In a browser, delete the cookies of this host name.',
  },
  package_quarantined: {
    cause: 'An administrator has withdrawn the package. `reason` says why.',
    fix: 'Do not install it, and check what you installed before. Authors talk to the administrators of the installation.',
  },
  internal_error: {
    cause:
      'Something failed that should not fail: a defect, or an engine that behaved unexpectedly. What happened is in the log of the process.',
    fix: 'Look whether a change was made, then try once more. If it fails again, report it with the `x-request-id` of the answer; operators find the cause in the log under that id.',
  },
  capture_failed: {
    cause:
      'The browser that was to take the screenshot could not, went away, or did not hand in the picture.',
    fix: 'Keep the workspace open in a visible tab and try again. `detail` says what the browser reported.',
  },
  issuer_unavailable: {
    cause: 'The identity provider or CI service could not be reached, or did not answer as one.',
    fix: 'Try again in a moment, or sign in with a passkey. Operators check that the server can reach the provider.',
  },
  source_unavailable: {
    cause: 'The address to fetch from did not answer in time, broke off, or answered with an error.',
    fix: 'Check the address in a browser, then try again, or upload the file itself.',
  },
  database_unavailable: {
    cause:
      'PostgreSQL does not answer in time, takes no more connections, or is being prepared for this version.',
    fix: 'Wait a few seconds and repeat; before repeating a change, look whether it was made. Operators see the state at `/ready` and with `patchbay doctor`.',
  },
  board_engine_missing: {
    cause: 'No KiCad worker has been running for a minute, and the result is not known from before.',
    fix: 'Try again later. Operators start one with `patchbay worker`.',
  },
  broker_unavailable: {
    cause: 'The MQTT broker is down, overloaded, or not connected.',
    fix: 'Wait a few seconds; before repeating a command, ask for it with its id, because it may have been sent. Operators check the broker and `PATCHBAY_MQTT_BROKER_URL`.',
  },
  bus_unavailable: {
    cause: 'Redis does not answer. It carries what the nodes of an installation tell each other.',
    fix: 'Wait a few seconds and repeat; before repeating a change, look whether it was made. Operators check `REDIS_URL`; nodes recover without a restart.',
  },
  folder_unavailable: {
    cause:
      'The viewer cannot read or write the folder of the pastes, the disk is full, or another viewer has the folder.',
    fix: 'Check space, permissions and other viewers of the same project. The log of the viewer says which it was.',
  },
  objects_unavailable: {
    cause: 'The store of files and archives does not answer, is full, or has lost this file.',
    fix: 'Wait a few seconds and repeat. Operators check `PATCHBAY_OBJECTS_URL`; if only one file fails, restore it from a backup.',
  },
  shutting_down: {
    cause: 'This node is being stopped or replaced.',
    fix: 'Repeat the request at once: behind a balancer another node takes it. Otherwise wait until the process is back.',
  },
  deadline_exceeded: {
    cause: 'The process did not finish in time: it is busy, an engine is slow, or a browser did not react.',
    fix: 'Repeat requests that only read. Before repeating a change, look whether it was made. Operators find slow routes in the metrics.',
  },
  viewer_silent: {
    cause: 'A page of the viewer is open, but did not react in time: its tab may be asleep.',
    fix: 'Bring the tab to the front, or reload it, and try again.',
  },
  sharing_not_enabled: {
    cause:
      'The screenshot needs a person who shares the page or the screen. They have been shown who asks and why.',
    fix: 'Ask them to choose Share, then call again after a few seconds.',
  },
  sharing_declined: {
    cause: 'The person chose “Not now” when asked to share the page or the screen.',
    fix: 'Do not ask again before `retry_after_seconds` have passed. They can share at any time from the bar of the workspace.',
  },
}
