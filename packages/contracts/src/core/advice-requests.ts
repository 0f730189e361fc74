/** Of requests that are wrong, come from the wrong one, or ask for what is not there: 400 to 408. */
export const REQUEST_ADVICE = {
  invalid_request: {
    cause:
      'A path, query, header or body value is missing, unknown or not in the documented format, or two of them do not fit together. Nothing is converted, and unknown members of a body are refused.',
    fix: 'Read `errors`, which points at each fault, or else `detail`, and correct the request. `/reference` has the format of every address. Pass a `cursor` on exactly as you received it.',
  },
  malformed_json: {
    cause: 'The body was announced as JSON but is empty or cannot be parsed.',
    fix: 'Send valid JSON in UTF-8 with `Content-Type: application/json`. From a shell, check the quoting, or put the body into a file.',
  },
  max_age_too_long: {
    cause: 'An application asked for a session that lasts longer than this server allows.',
    fix: 'Ask for at most `max_age` seconds, which is in the answer, or leave `max_age` out. Operators set the maximum with `PATCHBAY_MAX_SESSION_SECONDS`.',
  },
  challenge_required: {
    cause:
      'The login was begun without a `code_challenge`, and this server is set to require one (`PATCHBAY_REQUIRE_INTENT_VERIFIER`).',
    fix: 'Send the SHA-256 of a fresh secret as `code_challenge`, and the secret itself as `Intent-Verifier` when you ask for the status. `@patchbay/client` does both.',
  },
  source_refused: {
    cause:
      'The server was asked to fetch something from an address that it does not fetch from: a private network, another scheme or port, one that redirects too often, or a file that is too large. `reason` says which.',
    fix: 'Use the public `https` address of the file, or upload the file itself. Operators can open networks of their own with `PATCHBAY_OUTBOUND_NETWORKS`.',
  },
  malformed_request: {
    cause:
      'What arrived could not be read as an HTTP request, is not a complete WebSocket handshake, or ended before its body was complete.',
    fix: 'If it was an upload, send it again. Otherwise check the program or proxy that wrote the request, such as its `Content-Length` and its WebSocket headers.',
  },
  token_required: {
    cause: 'The watchdog is protected by a token, and the request carried none or a wrong one.',
    fix: 'Send `Authorization: Bearer` followed by the value of `PATCHBAY_WATCHDOG_TOKEN`. For `patchbay watchdog`, set that variable where you run the command.',
  },
  sign_in_required: {
    cause: 'The request carried no credentials, or the browser session in its cookie has ended.',
    fix: 'Sign in, or send an API key as `X-API-Key` or a session token as `Authorization: Bearer`. On the command line, run `patchbay login` or set `PATCHBAY_API_KEY`.',
  },
  credential_invalid: {
    cause:
      'The API key or session token is mistyped, has expired, was revoked, or belongs to an account that is disabled.',
    fix: 'Run `patchbay login` again, or create a new API key. The same credential will be refused every time.',
  },
  account_disabled: {
    cause: 'The sign-in was right, but an administrator has disabled the account.',
    fix: 'Ask an administrator of the installation to enable it. They do so on the page of people, or with `patchbay admin enable`.',
  },
  access_ended: {
    cause:
      'Somebody ended the access of this API key or application to the workspace, or the person behind it is no longer a member.',
    fix: 'Ask somebody who manages the workspace to restore the access or to share the workspace with you again. Other workspaces are not affected.',
  },
  browser_session_required: {
    cause:
      'Accounts, API keys, passkeys, organizations and trusted publishers are managed by people. The request carried an API key or the session of an application.',
    fix: 'Sign in with a browser and do it there.',
  },
  ci_token_refused: {
    cause:
      'The token of a CI job was not accepted for this package. `reason` says what did not fit: the token itself, the repository, the branch or tag, the workflow, the environment, or what started the job.',
    fix: 'Compare the job with the trusted publisher of the package, and change one of them. Ask the CI service for a fresh token in every job, with the public URL of this server as its audience.',
  },
  csrf_token_required: {
    cause:
      'A change was sent with a browser session, and `X-CSRF-Token` was missing or belongs to another session, such as before a sign-in in another tab.',
    fix: 'Reload the page. Pages of your own read the token as `csrf_token` from `GET /auth/session`; programs send an API key or session token instead of a cookie and need none.',
  },
  issuer_refused: {
    cause:
      'The identity provider answered with an error, the sign-in was canceled there, or its answer did not pass verification.',
    fix: 'Try again, or sign in another way. Operators compare client id, secret and redirect URI in `PATCHBAY_OIDC_ISSUERS` with what the provider has.',
  },
  not_permitted: {
    cause:
      'The account or API key is valid, but it may not do this: the role is not enough, the scope of the key does not cover it, or it takes a person rather than a key.',
    fix: 'Ask an owner for a higher role, or create a key with the scope that is needed. If `detail` names another workspace, make the change there.',
  },
  passkey_refused: {
    cause:
      'The passkey is not registered here, was removed, was made for another host name, or is registered already.',
    fix: 'Use another passkey or another way to sign in, then register this one again. Passkeys belong to a host name: they stop working when the public URL gets another one.',
  },
  upload_not_granted: {
    cause:
      'The page is no longer allowed to upload: it has been open for more than a day, or the viewer was restarted.',
    fix: 'Reload the page and upload again.',
  },
  sign_up_closed: {
    cause:
      'This server does not let new people in this way: `PATCHBAY_SIGN_UP` is `invited`, or allows accounts through an identity provider only.',
    fix: 'Ask an administrator for an invitation and open its link in this browser. Operators change who may sign up with `PATCHBAY_SIGN_UP`.',
  },
  origin_not_allowed: {
    cause:
      'The request came from a web page of another origin, or a request that only pages of this server send had no `Origin` header.',
    fix: 'Open the page at its public address. Programs leave `Origin` out. Operators check that the public URL is the address that people use; for pages that connect to a gateway there is `PATCHBAY_GATEWAY_ALLOWED_ORIGINS`.',
  },
  not_found: {
    cause:
      'This process has no such address, what the address names does not exist, or you are not allowed to know that it does.',
    fix: 'Check the path, the names in it, and that you asked the right process: `/reference` lists all addresses. If it should exist, check whose credentials you sent.',
  },
  channel_not_found: {
    cause:
      'The device has never announced a channel with this name, or the channel reports values and takes no commands.',
    fix: 'List the device with its channels and use one that takes commands.',
  },
  device_not_found: {
    cause:
      'The workspace has no device with this name: it is mistyped, was removed, or is no longer shared with this workspace.',
    fix: 'List the devices of the workspace. A device of another workspace has to be granted to this one first.',
  },
  board_library_not_found: {
    cause:
      'The package was never added to the workspace as a library, or was removed, or the library is now at another version.',
    fix: 'List the libraries of the workspace, and add the package if it is missing.',
  },
  board_job_not_found: {
    cause:
      'The workspace has no job with this id. Jobs are forgotten when a workspace has many newer ones, and results that nobody asks for are deleted after 30 days.',
    fix: 'Ask for the job again. If the files are the same and the result is still kept, the answer is immediate.',
  },
  board_result_not_found: {
    cause: 'The job exists, but produced no file with this name.',
    fix: 'Read the job and take a name from its `results`. A job that is not done has none yet.',
  },
  intent_not_found: {
    cause:
      'The token of the login is unknown or was deleted, or the `Intent-Verifier` does not belong to it.',
    fix: 'Send the verifier with which the login was begun. If that does not help, begin a new login.',
  },
  package_not_found: {
    cause:
      'No package, version or archive has this name, or it is private and your credentials may not read it.',
    fix: 'Check the identifier and the version. For a private package, sign in or send an API key that may read it.',
  },
  file_not_found: {
    cause:
      'The workspace has no file at this path, or had none at the revision that was asked for. Upper and lower case matter.',
    fix: 'List the files of the workspace. If the file was moved or deleted, its history says when and by whom.',
  },
  panel_not_found: {
    cause: 'The layout has no such leaf, tab or split: it was closed or moved, often by another person.',
    fix: 'Read the current layout and use the ids in it.',
  },
  panel_type_not_found: {
    cause:
      'The catalog has no panel with this UUID. A panel of a third party has to be added to the catalog of the owner first.',
    fix: 'Read the catalog with `GET /api/panels/catalog` and use a UUID from it.',
  },
  paste_not_found: {
    cause:
      'The viewer has no picture with this id or file name: it was removed, renamed, or belongs to another project.',
    fix: 'List the pastes with `GET /api/pastes`.',
  },
  workspace_not_found: {
    cause: 'The owner has no workspace with this name, or it is in the trash.',
    fix: 'Check the name (`owner/name`). Look into the trash of the owner: what is there can be restored.',
  },
  ci_service_unknown: {
    cause: 'The trusted publisher names a CI service that the operator has not configured.',
    fix: 'Use a service that the server lists. Operators add one with `PATCHBAY_CI_ISSUERS`.',
  },
  feed_too_large: {
    cause:
      'The list of all packages is larger than design tools can read (`PATCHBAY_FEED_MAX_MB`), so it is not served.',
    fix: 'Add the repositories of the owners that you need, ask for single packages at `/registry/sparse/`, or search.',
  },
  method_not_allowed: {
    cause: 'The address exists, but does not take this method.',
    fix: 'Use one of the methods in the `Allow` header of the answer.',
  },
  request_timeout: {
    cause: 'The headers or the body did not arrive in time, or an upload paused for more than 30 seconds.',
    fix: 'Send it again, over a better connection if you can. An answer of this kind on every request points at a proxy that holds bodies back.',
  },
}
