/** Why there is no connection. The message is for the person. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
