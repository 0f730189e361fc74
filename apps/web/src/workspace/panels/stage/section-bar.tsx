import { SECTION_AXES } from '@patchbay/contracts/panels'
import { FlipHorizontal2 } from 'lucide-react'
import { useState } from 'react'
import { Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import button from '../../../components/button.module.css'
import { classes } from '../../../components/classes.ts'
import toolBar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import type { Section } from './section-plane.ts'
import styles from './stage.module.css'
import { words } from './words.ts'

interface SectionBarProps {
  section: Section
  /** While it is being moved, which others do not see. */
  preview: (section: Section) => void
  setSection: (section: Section) => void
}

/** Where a model is cut open. */
export function SectionBar({ section, preview, setSection }: SectionBarProps) {
  const { axis, position, isFlipped = false } = section
  const [moving, setMoving] = useState<number>()
  return (
    <ToolBar label={words.section.label}>
      <ToggleButtonGroup
        aria-label={words.section.axis}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[axis]}
        onSelectionChange={([key]) =>
          setSection({ ...section, axis: SECTION_AXES.find((one) => one === key) ?? axis })
        }
        className={classes(styles.axes)}
      >
        {SECTION_AXES.map((one) => (
          <ToggleButton
            key={one}
            id={one}
            aria-label={words.section.axisNamed(one.toUpperCase())}
            className={classes(button.button, button.iconOnly, toolBar.toggle)}
            data-variant="ghost"
            data-size="sm"
          >
            {one.toUpperCase()}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Slider
        aria-label={words.section.position}
        value={(moving ?? position) * 100}
        minValue={0}
        maxValue={100}
        step={1}
        onChange={(percent) => {
          setMoving(percent / 100)
          preview({ ...section, position: percent / 100 })
        }}
        onChangeEnd={(percent) => {
          setMoving(undefined)
          setSection({ ...section, position: percent / 100 })
        }}
        className={classes(styles.slider)}
      >
        <SliderTrack className={classes(styles.track)}>
          <SliderThumb className={classes(styles.thumb)} />
        </SliderTrack>
        <SliderOutput className={classes(styles.percent)}>
          {({ state }) => words.section.percent(Math.round(state.values[0] ?? 0))}
        </SliderOutput>
      </Slider>
      <ToolToggle
        label={words.section.flip}
        isSelected={isFlipped}
        onChange={(next) => setSection({ axis, position, ...(next && { isFlipped: true }) })}
      >
        <FlipHorizontal2 aria-hidden />
      </ToolToggle>
    </ToolBar>
  )
}
