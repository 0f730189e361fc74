import { PLATFORMS, type Platform } from '@patchbay/package-format'
import { useState } from 'react'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { isToolVersion } from '../catalog/catalog-query.ts'
import { PLATFORM_NAMES } from '../words.ts'
import type { ChosenTarget } from './target.ts'
import styles from './target-fields.module.css'
import { words } from './words.tsx'

const OPTIONS = PLATFORMS.map((id) => ({ id, label: PLATFORM_NAMES[id] }))

interface TargetFieldsProps {
  target: ChosenTarget
  choose: (target: ChosenTarget) => void
}

export function TargetFields({ target, choose }: TargetFieldsProps) {
  const [text, setText] = useState(target.toolVersion)
  const isRefused = tidy(text) !== '' && !isToolVersion(tidy(text))
  const type = (typed: string) => {
    setText(typed)
    choose({ ...target, toolVersion: isToolVersion(tidy(typed)) ? tidy(typed) : '' })
  }
  return (
    <div className={styles.fields}>
      <TextField
        label={words.target.toolVersion}
        placeholder={words.target.toolVersionExample}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={type}
        errorMessage={isRefused ? words.target.toolVersionFault : undefined}
      />
      <Select
        label={words.target.platform}
        options={OPTIONS}
        value={target.platform}
        onChange={(id) => choose({ ...target, platform: platformOf(id) ?? target.platform })}
      />
    </div>
  )
}

/** Whoever has typed `9.` is on the way to `9.0`, and made no mistake. */
function tidy(typed: string): string {
  return typed.trim().replace(/\.$/, '')
}

function platformOf(id: unknown): Platform | undefined {
  return PLATFORMS.find((platform) => platform === id)
}
