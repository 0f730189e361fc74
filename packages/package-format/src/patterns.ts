export const IDENTIFIER_PATTERN = '^[a-zA-Z][-a-zA-Z0-9.]{0,98}[a-zA-Z0-9]$'
export const VERSION_PATTERN = '^[0-9]{1,4}([.][0-9]{1,4}([.][0-9]{1,6})?)?$'
export const TOOL_VERSION_PATTERN = '^[0-9]{1,2}([.][0-9]{1,2}([.][0-9]{1,2})?)?$'
export const TAG_PATTERN = '^[a-z][-a-z0-9]{0,48}[a-z0-9]$'
export const SHA256_PATTERN = '^[a-f0-9]{64}$'
/** A key of `resources`. */
export const RESOURCE_KEY_PATTERN = '^[a-zA-Z][-a-zA-Z0-9 ]{0,48}[a-zA-Z0-9]$'
/** A key of `contact`. */
export const CONTACT_KEY_PATTERN = '^[a-z][-a-z0-9 ]{0,48}[a-z0-9]$'
export const UPDATE_TIME_PATTERN = '^2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$'

/** The words of the contract: http(s), a host and no white space, or file with a drive or a slash and no NUL. */
export const CONTRACT_URL_PATTERN = '^(https?://[^\\s/]\\S*|file://([a-zA-Z]:|/)[^\\x00]+)$'
/**
 * What existing tools check, to the letter. The anchors hold one alternative each, so `http://ab c` passes for its
 * beginning and `javascript:x//file:///y` for its end.
 */
export const COMPAT_URL_PATTERN =
  '^(https?:\\/\\/[^\\s\\/$.?#].[^\\s]*)|(file:\\/\\/([a-zA-Z]:|\\/)[^\\x00]+)$'
