import { RotateCw, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { sizeInWords } from '../../parts/size-words.ts'
import type { Upload } from '../uploads/upload.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import { focusNeighbor } from './focus-neighbor.ts'
import styles from './pictures.module.css'
import { Thumbnail } from './thumbnail.tsx'

/** A picture that is not saved yet, or never will be. */
export function UploadPlace({ upload }: { upload: Upload }) {
  const { label, bytes, preview, state } = upload
  const { queue } = useViewer()
  const place = useRef<HTMLDivElement>(null)
  const drop = () => {
    focusNeighbor(place.current)
    queue.drop(upload.id)
  }
  const isOver = state.step === 'held' || state.step === 'refused'
  return (
    <div ref={place} className={styles.card}>
      <Thumbnail address={preview} />
      <div className={styles.words}>
        <h3 tabIndex={-1} className={styles.name}>
          {label}
        </h3>
        <p className={styles.facts}>{sizeInWords(bytes)}</p>
        {state.step === 'waiting' && <p className={styles.facts}>{words.upload.waiting}</p>}
        {state.step === 'sending' && <Progress label={words.upload.sending} value={state.percent} />}
        {state.step === 'saving' && <Progress label={words.upload.saving} />}
        {isOver && (
          <Notice tone={state.step === 'held' ? 'warning' : 'danger'} title={state.why.title}>
            {state.why.detail}
          </Notice>
        )}
        {state.step !== 'saving' && (
          <div className={styles.actions}>
            {(state.step === 'held' || (state.step === 'refused' && state.mayRetry)) && (
              <Button
                size="sm"
                icon={<RotateCw aria-hidden />}
                aria-label={words.forPicture(words.upload.sendAgain, label)}
                onPress={() => queue.retry(upload.id)}
              >
                {words.upload.sendAgain}
              </Button>
            )}
            <Button
              size="sm"
              icon={<X aria-hidden />}
              aria-label={words.forPicture(isOver ? words.upload.dismiss : words.upload.cancel, label)}
              onPress={drop}
            >
              {isOver ? words.upload.dismiss : words.upload.cancel}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
