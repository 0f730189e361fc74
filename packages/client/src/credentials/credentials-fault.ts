/** What is stored cannot be used. Names the file and repeats nothing of it. */
export class CredentialsFault extends Error {
  override readonly name = 'CredentialsFault'
  readonly path: string
  /** What is wrong, as the end of a sentence that begins with the file's name. */
  readonly wrong: string

  constructor(path: string, wrong: string) {
    super(`${path} ${wrong}`)
    this.path = path
    this.wrong = wrong
  }
}
