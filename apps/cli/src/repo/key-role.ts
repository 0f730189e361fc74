/** Root says whose signatures count; targets what is published; online the rest, by itself. */
export const KEY_ROLES = ['root', 'targets', 'online'] as const
export type KeyRole = (typeof KEY_ROLES)[number]
