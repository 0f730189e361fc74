import { Axis3d, FolderOpen, Grid3x3, Maximize, RotateCcw, Waypoints } from 'lucide-react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { AddressField } from '../parts/address-field.tsx'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import type { StageLook } from './stage.ts'

interface ViewerBarProps {
  url: string | undefined
  mayChange: boolean
  setUrl: (url: string) => void
  open: (file: File) => void
  look: StageLook
  setLook: (look: StageLook) => void
  fit: () => void
  reset: () => void
}

export function ViewerBar({ url, mayChange, setUrl, open, look, setLook, fit, reset }: ViewerBarProps) {
  return (
    <ToolBar label="3D viewer">
      <FileTrigger
        acceptedFileTypes={['.glb', '.gltf', 'model/gltf-binary', 'model/gltf+json']}
        onSelect={(files) => {
          const file = files?.item(0)
          if (file !== undefined && file !== null) open(file)
        }}
      >
        <ToolButton label="Open a file">
          <FolderOpen aria-hidden />
        </ToolButton>
      </FileTrigger>
      <AddressField
        label="Address of a model"
        example="example.com/model.glb"
        place={url}
        isReadOnly={!mayChange}
        go={setUrl}
      />
      <ToolButton label="Fit to the view" onPress={fit}>
        <Maximize aria-hidden />
      </ToolButton>
      <ToolButton label="Reset the view" onPress={reset}>
        <RotateCcw aria-hidden />
      </ToolButton>
      <ToolToggle
        label="Wireframe"
        isSelected={look.isWired}
        onChange={(isWired) => setLook({ ...look, isWired })}
      >
        <Waypoints aria-hidden />
      </ToolToggle>
      <ToolToggle
        label="Grid"
        isSelected={look.hasGrid}
        onChange={(hasGrid) => setLook({ ...look, hasGrid })}
      >
        <Grid3x3 aria-hidden />
      </ToolToggle>
      <ToolToggle
        label="Axes"
        isSelected={look.hasAxes}
        onChange={(hasAxes) => setLook({ ...look, hasAxes })}
      >
        <Axis3d aria-hidden />
      </ToolToggle>
    </ToolBar>
  )
}
