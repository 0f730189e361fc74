export type FolderRefusal =
  | 'not_a_folder'
  | 'not_empty'
  | 'link'
  | 'special_file'
  | 'hostile_name'
  | 'nothing_to_install'

/** A folder of this machine cannot be packed from, or extracted to. Nothing in it was changed. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused'
  readonly reason: FolderRefusal
  readonly path: string

  constructor(reason: FolderRefusal, path: string, message: string) {
    super(message)
    this.reason = reason
    this.path = path
  }
}
