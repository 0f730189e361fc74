import {
  ArrowDownToLine,
  ArrowUpToLine,
  Box,
  FolderTree,
  ListTree,
  Maximize,
  Ruler,
  Slice,
} from 'lucide-react'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import type { StageSide } from '../stage/stage.ts'
import styles from './board.module.css'
import { words } from './words.ts'

/** What is open beside the view. */
export interface BoardTools {
  readonly hasLists: boolean
  readonly isMeasuring: boolean
  readonly hasSection: boolean
}

interface BoardBarProps {
  path: string | undefined
  mayChange: boolean
  choose: () => void
  hasBoard: boolean
  tools: BoardTools
  setTools: (tools: BoardTools) => void
  look: (side: StageSide) => void
  fit: () => void
}

export function BoardBar({ path, mayChange, choose, hasBoard, tools, setTools, look, fit }: BoardBarProps) {
  return (
    <ToolBar label={words.bar.label}>
      <ToolButton label={words.bar.choose} isDisabled={!mayChange} onPress={choose}>
        <FolderTree aria-hidden />
      </ToolButton>
      <span className={styles.path} title={path}>
        {path}
      </span>
      <ToolButton label={words.bar.top} onPress={() => look('top')}>
        <ArrowDownToLine aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.bottom} onPress={() => look('bottom')}>
        <ArrowUpToLine aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.corner} onPress={() => look('table')}>
        <Box aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.fit} onPress={fit}>
        <Maximize aria-hidden />
      </ToolButton>
      <ToolToggle
        label={words.bar.lists}
        isSelected={tools.hasLists}
        isDisabled={!hasBoard}
        onChange={(hasLists) => setTools({ ...tools, hasLists })}
      >
        <ListTree aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.measure}
        isSelected={tools.isMeasuring}
        isDisabled={!hasBoard}
        onChange={(isMeasuring) => setTools({ ...tools, isMeasuring })}
      >
        <Ruler aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.section}
        isSelected={tools.hasSection}
        isDisabled={!hasBoard}
        onChange={(hasSection) => setTools({ ...tools, hasSection })}
      >
        <Slice aria-hidden />
      </ToolToggle>
    </ToolBar>
  )
}
