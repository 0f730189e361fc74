import { ChevronsUpDown, FileCode, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import type { PanelHost } from '../../panel-definition.ts'
import { FileChoice, FileDialog } from '../files/file-dialog.tsx'
import { nameOf } from '../files/file-tree.ts'
import { languageOfScript } from './script-file.ts'
import styles from './script-runner.module.css'
import { words } from './words.ts'

interface SourceChoiceProps {
  host: PanelHost
  path: string | undefined
  isDisabled: boolean
  choose: (path: string | undefined) => void
}

/** What is run, and the way to choose something else. */
export function SourceChoice({ host, path, isDisabled, choose }: SourceChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const chosen = (next: string | undefined) => {
    setOpen(false)
    choose(next)
  }
  return (
    <span className={styles.source}>
      <Button
        size="sm"
        icon={path === undefined ? <SquareTerminal aria-hidden /> : <FileCode aria-hidden />}
        isDisabled={isDisabled}
        aria-label={`${words.source.choose}: ${path ?? words.source.own}`}
        onPress={() => setOpen(true)}
      >
        <span className={styles.sourceName}>{path === undefined ? words.source.own : nameOf(path)}</span>
        <ChevronsUpDown aria-hidden className={styles.arrows} />
      </Button>
      {isOpen && (
        <FileDialog
          host={host}
          title={words.source.choose}
          none={words.source.none}
          offer={(paths) => paths.filter((one) => languageOfScript(one) !== undefined)}
          choose={chosen}
          close={() => setOpen(false)}
          icon={<FileCode aria-hidden />}
        >
          <FileChoice
            icon={<SquareTerminal aria-hidden />}
            choose={() => chosen(undefined)}
            help={words.source.ownHelp}
          >
            {words.source.own}
          </FileChoice>
        </FileDialog>
      )}
    </span>
  )
}
