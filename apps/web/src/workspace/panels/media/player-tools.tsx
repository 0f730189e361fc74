import { Expand, Maximize, Minimize, Volume2, VolumeX } from 'lucide-react'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { words } from './words.ts'

export type Fit = 'contain' | 'cover'

interface PlayerToolsProps {
  /** Missing where there is no sound. */
  sound?: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | undefined
  fit: Fit
  setFit: (fit: Fit) => void
  isFullScreen: boolean
  toggleFullScreen: () => void
}

/** What every player has in its bar. */
export function PlayerTools({ sound, fit, setFit, isFullScreen, toggleFullScreen }: PlayerToolsProps) {
  return (
    <>
      {sound !== undefined && (
        <ToolToggle label={words.sound} isSelected={sound.isOn} onChange={sound.set}>
          {sound.isOn ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
        </ToolToggle>
      )}
      <ToolToggle
        label={words.fill}
        isSelected={fit === 'cover'}
        onChange={(isFilling) => setFit(isFilling ? 'cover' : 'contain')}
      >
        <Expand aria-hidden />
      </ToolToggle>
      <ToolButton label={isFullScreen ? words.leaveFullScreen : words.fullScreen} onPress={toggleFullScreen}>
        {isFullScreen ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
      </ToolButton>
    </>
  )
}
