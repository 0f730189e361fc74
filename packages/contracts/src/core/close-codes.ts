/**
 * One table for every way a WebSocket of ours ends. The name travels as the reason of the close frame.
 * A code or name is never renamed or reused. 4000–4099 belong to the platform; areas take a hundred each:
 * 4100 registry, 4200 gateway, 4300 identity, 4400 panels, 4500 viewer.
 */
export const CLOSE_CODES = {
  normal: { code: 1000, meaning: 'The conversation is over' },
  going_away: { code: 1001, meaning: 'This node is shutting down; connect again' },
  protocol_error: { code: 1002, meaning: 'A frame was not valid WebSocket' },
  unsupported_data: { code: 1003, meaning: 'This address takes text messages only' },
  invalid_text: { code: 1007, meaning: 'A text message was not valid UTF-8' },
  policy_violation: {
    code: 1008,
    meaning: 'Messages came faster, or in more pieces, than this address accepts',
  },
  message_too_large: { code: 1009, meaning: 'A message was larger than this address accepts' },
  internal_error: { code: 1011, meaning: 'Something went wrong on our side' },
  dead_peer: { code: 4001, meaning: 'Nothing was heard for a whole ping interval' },
  slow_consumer: { code: 4008, meaning: 'Messages were not read as fast as they came' },
  too_many_connections: { code: 4029, meaning: 'The limit of connections is reached; close one first' },
  session_ended: { code: 4300, meaning: 'The person is not signed in anymore' },
  nothing_registered: { code: 4200, meaning: 'No state was registered on this connection for 10 s' },
  nothing_opened: { code: 4400, meaning: 'No workspace was opened on this connection for 10 s' },
  workspace_gone: { code: 4404, meaning: 'The workspace does not exist or was deleted' },
  workspace_not_permitted: { code: 4403, meaning: 'The person may not see this workspace' },
  not_a_viewer_page: {
    code: 4500,
    meaning: 'What came, or did not come for 10 s, is not what a viewer page says',
  },
} as const satisfies Record<string, { code: number; meaning: string }>

export type CloseCodeName = keyof typeof CLOSE_CODES

export function isCloseCodeName(value: string): value is CloseCodeName {
  return Object.hasOwn(CLOSE_CODES, value)
}

const NAMES = Object.keys(CLOSE_CODES).filter(isCloseCodeName)

/** The table's name for a code that a close event carried. */
export function closeCodeName(code: number): CloseCodeName | undefined {
  return NAMES.find((name) => CLOSE_CODES[name].code === code)
}
