import { useEffect, useState } from 'react'
import { notify } from '../../../components/toast.tsx'
import { UserError } from '../../../errors/user-error.ts'
import type { PanelHost } from '../../panel-definition.ts'
import { writeFile } from '../parts/files.api.ts'
import { type Picked, readDropped } from './picked-files.ts'
import { UploadQueue } from './upload-queue.ts'
import { tellFailure } from './use-file-actions.ts'
import type { Files } from './use-files.ts'
import { words } from './words.ts'

interface FileUploads {
  readonly queue: UploadQueue
  readonly add: (folder: string, picked: Picked) => void
  readonly drop: (dropped: DataTransfer, folder: string) => void
}

/** What is on its way from this computer. Ends with the panel; leaving the page meanwhile asks first. */
export function useUploads(host: PanelHost, { tree, look }: Files): FileUploads {
  const [queue] = useState(
    () =>
      new UploadQueue({
        send: (path, file, options) => writeFile(host, path, file, options),
        onStored: () => void look(),
        onDone: (stored) => notify({ title: words.uploads.done(stored) }),
      }),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (queue.isUnderWay) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      queue.drop(queue.uploads.get().list.map(({ id }) => id))
    }
  }, [queue])

  const add = (folder: string, { files, skipped, isCut }: Picked) => {
    const unfit = queue.add(folder, files, tree.files)
    if (isCut || unfit > 0) notify({ title: words.uploads.cut, tone: 'warning' })
    if (skipped.length > 0) notify({ title: words.uploads.skipped(skipped.join(', ')), tone: 'info' })
  }
  return {
    queue,
    add,
    drop: (dropped, folder) =>
      void readDropped(dropped).then(
        (picked) => add(folder, picked),
        (error: unknown) =>
          tellFailure(new UserError(words.uploads.notRead.title, words.uploads.notRead.detail, error)),
      ),
  }
}
