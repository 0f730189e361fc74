/** Of requests that do not fit what is there now: 409 to 412. */
export const CONFLICT_ADVICE = {
  bytes_missing: {
    cause:
      'A change names a file by its SHA-256, and no bytes with that hash were uploaded to this workspace. Uploads that no change names are deleted after a day.',
    fix: 'Upload the content first (`PUT …/files/blobs/{sha256}`), then send the change again.',
  },
  command_id_taken: {
    cause:
      'A command with this id was sent before, with another value, to another channel, or by somebody else.',
    fix: 'Make a new id for every command. Repeat an id only to learn what became of the same command.',
  },
  device_exists: {
    cause: 'The workspace has a device with this name already.',
    fix: 'Choose another name, or remove the other device first.',
  },
  device_not_armed: {
    cause:
      'The channel moves or powers something, and no person has armed the device, or it is armed for people but not for agents and scripts.',
    fix: 'Arm the device in the workspace, under Devices. For an agent or script, a person has to arm it for agents too; the request shows up in the open workspace. Then send the command again.',
  },
  device_offline: {
    cause: 'The server is not connected to the device, or has not heard from it for two minutes.',
    fix: 'Check power, network and the device’s key, then try again. Nothing was sent, and nothing will be sent later.',
  },
  devices_stopped: {
    cause: 'Somebody pressed the emergency stop of the workspace, or of one that shares the device.',
    fix: 'Make sure that it is safe, and have a person release the stop in the workspace. All devices are disarmed then, so arm them again.',
  },
  edits_too_old: {
    cause:
      'The edits are based on a version of the document that is no longer kept, or the document kept changing while they were applied.',
    fix: 'Read the document again and make the edits on its current text.',
  },
  gateway_not_ours: {
    cause:
      'The watchdog found a process at the port of the gateway that it did not start, or cannot be sure of, and leaves it alone.',
    fix: '`detail` says which process it is, where that is known. Stop it, or give the gateway another port with `PATCHBAY_GATEWAY_PORT`, and start again.',
  },
  handle_taken: {
    cause: 'A person or an organization has this handle, or the handle is reserved.',
    fix: 'Choose another handle.',
  },
  identifier_taken: {
    cause:
      'Another owner has published a package with this identifier, or with one that differs only in upper and lower case.',
    fix: 'Choose another identifier. If the package is yours, publish it under the owner that it belongs to, spelled as before.',
  },
  intent_already_linked: {
    cause: 'The login was approved before, here or in another tab.',
    fix: 'Nothing is left to do: return to the application. If it is still waiting, begin the login there again.',
  },
  last_admin: {
    cause: 'The change would leave the server without an administrator.',
    fix: 'Make another person an administrator first (`patchbay admin link`).',
  },
  last_owner: {
    cause: 'The change would leave the organization without an owner.',
    fix: 'Make another member an owner first.',
  },
  last_way_in: {
    cause: 'This is the only passkey of an account that has no other way to sign in.',
    fix: 'Register another passkey, then remove this one.',
  },
  layout_changed: {
    cause:
      'Somebody else changed the layout after you had read it. `version` is the current one where it is known.',
    fix: 'Read the layout again, and repeat the change on it if it still makes sense.',
  },
  limit_reached: {
    cause:
      'Something of which there can be only so many, or so much, is full. `detail` says what and how much where it is not obvious.',
    fix: 'Remove what is no longer needed, then try again. Operators can raise the storage of an owner with `PATCHBAY_FILES_GIB_PER_OWNER`; most other limits are fixed.',
  },
  nothing_to_undo: {
    cause: 'The paste was neither renamed nor removed, or that was undone already.',
    fix: 'Nothing has to be done.',
  },
  path_taken: {
    cause:
      'A file or folder with this name is in the way, a file has the name of a folder on the path, or a folder would be moved into itself. Names that differ only in upper and lower case count as the same.',
    fix: 'Choose another path, or first move or delete what is in the way: `taken` or `detail` names it.',
  },
  panel_mismatch: {
    cause:
      'The panel that was named exists, but shows something else than the request is for, or another tab is active in its leaf.',
    fix: 'Read the layout and name the right panel. `detail` says what is there.',
  },
  panel_type_planned: {
    cause: 'The catalog lists this panel, but it cannot be opened yet.',
    fix: 'Use another panel, or wait for a version of Patchbay that has it.',
  },
  proxy_not_available: {
    cause: 'The proxy that shows pages which forbid framing has no address on this server.',
    fix: 'Turn the proxy off for this panel. Operators give it an address with `PATCHBAY_PROXY_URL`, on a host name of its own.',
  },
  singleton_exists: {
    cause: 'A panel of this kind can be open only once in a workspace, and it is.',
    fix: 'Use the panel that is open; the current layout has its tab.',
  },
  status_change_refused: {
    cause:
      'The status of a version moves from `development` to `testing` to `stable`, and between `stable` and `deprecated`. This change does not fit, or the version has that status already.',
    fix: 'Use a status that `detail` names, or publish a new version.',
  },
  text_not_unique: {
    cause:
      'The text to replace is not in the file, or is there more than once. `edit` says which replacement, `found` how often. No replacement was made.',
    fix: 'Read the file again. Give more of the surrounding text, so that it fits in one place only.',
  },
  type_change_refused: {
    cause: 'The package has versions of another type, and design tools rely on its type.',
    fix: 'Publish under the type it has, or under another identifier.',
  },
  version_delete_refused: {
    cause: 'The version was published more than 72 hours ago, or somebody else has downloaded it.',
    fix: 'Yank it instead: new installations no longer choose it, and those that have it keep working.',
  },
  version_exists: {
    cause:
      'This version is published with other content, or was deleted. What a version contains never changes, and 1.0 and 1.0.0 are the same version.',
    fix: 'Raise the version and publish again.',
  },
  viewer_not_open: {
    cause: 'Something was to be shown in the viewer, and no browser has one of its pages open.',
    fix: 'Open the viewer in a browser (`http://localhost:8797` unless set otherwise), then try again.',
  },
  workspace_exists: {
    cause:
      'The owner has a workspace with this name. When restoring from the trash, the former name was given to another one.',
    fix: 'Choose another name. When restoring, send it as `repo`.',
  },
  workspace_not_open: {
    cause: 'A browser has to take the screenshot, and nobody who may change the workspace has it open.',
    fix: 'Open the workspace in a browser, signed in as somebody who may change it, and try again.',
  },
  ceremony_expired: {
    cause:
      'A sign-in, sign-up or passkey step was left open too long, was finished already, or was begun in another browser.',
    fix: 'Start over from the sign-in page, in one browser.',
  },
  history_gone: {
    cause:
      'The request starts at a revision whose history has been deleted. A workspace keeps its last 100,000 changes.',
    fix: 'Read the current files as a whole, and continue from the revision that comes with them.',
  },
  intent_consumed: {
    cause: 'The session of this login was handed out before, to another program or another address.',
    fix: 'Begin a new login. If no other program of yours took it, end the session on the account page.',
  },
  intent_declined: {
    cause: 'The person chose Decline on the approval page.',
    fix: 'Begin a new login if that was a mistake, and compare the two words on both screens.',
  },
  intent_expired: {
    cause: 'Nobody approved the login within 15 minutes.',
    fix: 'Begin a new login and open its link right away.',
  },
  intent_session_ended: {
    cause:
      'The login was approved, but its session was ended or ran out before the application picked it up.',
    fix: 'Begin a new login.',
  },
  invitation_invalid: {
    cause: 'The invitation was used or revoked, has expired, or its link is incomplete.',
    fix: 'Copy the whole link, including what follows the `#`. If that does not help, ask for a new invitation.',
  },
  file_changed: {
    cause:
      'The file is not at the revision that the request expected, or exists although it was to be new. `current` describes the file that is there. Somebody may also be typing in it.',
    fix: 'Read the file again, bring your change and theirs together, and write with the current `ETag` or revision.',
  },
}
