/** Per client, for whatever begins or finishes a ceremony: each leaves a row behind, for up to 10 minutes. */
export const PUBLIC_RATE = { max: 60, windowMs: 60_000 } as const
