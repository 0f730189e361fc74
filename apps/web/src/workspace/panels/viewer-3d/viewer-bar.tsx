import {
  Axis3d,
  FolderOpen,
  FolderTree,
  Grid3x3,
  ListTree,
  Maximize,
  RotateCcw,
  Ruler,
  Slice,
  Waypoints,
} from 'lucide-react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { AddressField } from '../parts/address-field.tsx'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import type { StageLook } from '../stage/stage.ts'
import { MODEL_ENDINGS } from './mesh-formats.ts'
import { words } from './words.ts'

/** What is open beside the view. */
export interface ViewerTools {
  readonly hasParts: boolean
  readonly isMeasuring: boolean
  readonly hasSection: boolean
}

interface ViewerBarProps {
  url: string | undefined
  mayChange: boolean
  setUrl: (url: string) => void
  open: (file: File) => void
  /** A file of the workspace. */
  choose: () => void
  look: StageLook
  setLook: (look: StageLook) => void
  hasModel: boolean
  tools: ViewerTools
  setTools: (tools: ViewerTools) => void
  fit: () => void
  reset: () => void
}

export function ViewerBar(props: ViewerBarProps) {
  const { url, mayChange, setUrl, open, choose, look, setLook, hasModel, tools, setTools, fit, reset } = props
  return (
    <ToolBar label={words.bar.label}>
      <FileTrigger
        acceptedFileTypes={MODEL_ENDINGS.map((ending) => `.${ending}`)}
        onSelect={(files) => {
          const file = files?.item(0)
          if (file !== undefined && file !== null) open(file)
        }}
      >
        <ToolButton label={words.bar.open}>
          <FolderOpen aria-hidden />
        </ToolButton>
      </FileTrigger>
      <ToolButton label={words.bar.choose} isDisabled={!mayChange} onPress={choose}>
        <FolderTree aria-hidden />
      </ToolButton>
      <AddressField
        label={words.bar.address}
        example={words.bar.addressExample}
        place={url}
        isReadOnly={!mayChange}
        go={setUrl}
      />
      <ToolButton label={words.bar.fit} onPress={fit}>
        <Maximize aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.reset} onPress={reset}>
        <RotateCcw aria-hidden />
      </ToolButton>
      <ToolToggle
        label={words.bar.wireframe}
        isSelected={look.isWired}
        onChange={(isWired) => setLook({ ...look, isWired })}
      >
        <Waypoints aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.grid}
        isSelected={look.hasGrid}
        onChange={(hasGrid) => setLook({ ...look, hasGrid })}
      >
        <Grid3x3 aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.axes}
        isSelected={look.hasAxes}
        onChange={(hasAxes) => setLook({ ...look, hasAxes })}
      >
        <Axis3d aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.parts}
        isSelected={tools.hasParts}
        isDisabled={!hasModel}
        onChange={(hasParts) => setTools({ ...tools, hasParts })}
      >
        <ListTree aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.measure}
        isSelected={tools.isMeasuring}
        isDisabled={!hasModel}
        onChange={(isMeasuring) => setTools({ ...tools, isMeasuring })}
      >
        <Ruler aria-hidden />
      </ToolToggle>
      <ToolToggle
        label={words.bar.section}
        isSelected={tools.hasSection}
        isDisabled={!hasModel}
        onChange={(hasSection) => setTools({ ...tools, hasSection })}
      >
        <Slice aria-hidden />
      </ToolToggle>
    </ToolBar>
  )
}
