import { FileArchive, Upload } from 'lucide-react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { sizeInWords } from '../../parts/size-words.ts'
import styles from './archive-field.module.css'
import { words } from './words.tsx'

interface ArchiveFieldProps {
  file: File | undefined
  /** Why the chosen file will not do. */
  fault: string | undefined
  choose: (file: File) => void
}

/** A place to drop an archive on, with a button for those who do not drag. */
export function ArchiveField({ file, fault, choose }: ArchiveFieldProps) {
  return (
    <DropZone
      className={classes(styles.zone)}
      getDropOperation={(types) => (types.has('directory') ? 'cancel' : 'copy')}
      onDrop={({ items }) => {
        const dropped = items.find((item) => item.kind === 'file')
        if (dropped !== undefined) void dropped.getFile().then(choose)
      }}
    >
      <FileArchive aria-hidden className={styles.icon} />
      <Text slot="label" className={classes(styles.text)}>
        {file === undefined ? words.file.drop : words.file.chosen(file.name, sizeInWords(file.size))}
      </Text>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
      <FileTrigger
        acceptedFileTypes={['.zip', 'application/zip']}
        onSelect={(files) => {
          const chosen = files?.item(0)
          if (chosen !== undefined && chosen !== null) choose(chosen)
        }}
      >
        <Button size="sm" icon={<Upload aria-hidden />}>
          {file === undefined ? words.file.choose : words.file.chooseAnother}
        </Button>
      </FileTrigger>
    </DropZone>
  )
}
