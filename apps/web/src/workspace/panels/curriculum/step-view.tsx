import { CircleCheck, CirclePlay, ListChecks, PanelsTopLeft, Play, Square } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { TextField } from '../../../components/text-field.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { ScriptResult } from '../../sandbox/sandbox-port.ts'
import { ScriptOutput } from '../script-runner/script-output.tsx'
import type { Runner } from '../script-runner/use-runner.ts'
import styles from './curriculum.module.css'
import { type CheckStep, type OpenStep, plain, type RunStep, type Step, type StepFault } from './steps.ts'
import { words } from './words.ts'

/** What steps do, and with what. */
export interface StepKit {
  readonly runner: Runner
  /** The step whose script ran last: its output stands below it. */
  readonly lastRun: string | undefined
  readonly run: (stepId: string, path: string) => Promise<ScriptResult | undefined>
  /** The text of a file; `undefined` if there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Answers whether it is open now. */
  readonly open: (step: OpenStep) => boolean
  readonly isDone: (step: Step) => boolean
  readonly onDone: (step: Step) => void
}

interface StepProps<Kind extends Step> {
  step: Kind
  kit: StepKit
}

export function StepView({ step, kit }: { step: Step | StepFault; kit: StepKit }) {
  if (step.type === 'fault')
    return (
      <Notice title={words.faults.title} tone="warning">
        {step.text}
      </Notice>
    )
  if (step.type === 'open') return <OpenView step={step} kit={kit} />
  if (step.type === 'run') return <RunView step={step} kit={kit} />
  return step.check.by === 'answer' ? (
    <AnswerView step={step} answers={step.check.answers} kit={kit} />
  ) : (
    <CheckView step={step} kit={kit} />
  )
}

interface CardProps {
  step: Step
  kit: StepKit
  icon: ReactNode
  action?: ReactNode
  children?: ReactNode
}

function StepCard({ step, kit, icon, action, children }: CardProps) {
  const isDone = kit.isDone(step)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset belongs to a form
    <div role="group" aria-label={step.label} className={styles.step} data-done={isDone || undefined}>
      <div className={styles.stepHead}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn, not loaded */}
        {isDone ? <CircleCheck aria-label={words.step.done} role="img" className={styles.done} /> : icon}
        <span className={styles.stepLabel}>{step.label}</span>
        {action}
      </div>
      {children}
      {kit.lastRun === step.id && (
        <div className={styles.output}>
          <ScriptOutput lines={kit.runner.lines} />
        </div>
      )}
    </div>
  )
}

function OpenView({ step, kit }: StepProps<OpenStep>) {
  const [isRefused, setRefused] = useState(false)
  const open = () => {
    const isOpen = kit.open(step)
    setRefused(!isOpen)
    if (isOpen) kit.onDone(step)
  }
  return (
    <StepCard
      step={step}
      kit={kit}
      icon={<PanelsTopLeft aria-hidden />}
      action={
        <Button size="sm" onPress={open}>
          {words.step.opened}
        </Button>
      }
    >
      {isRefused && <Notice title={words.step.notOpened} tone="warning" isLive />}
    </StepCard>
  )
}

/** Runs a file for a step, and keeps why it could not be read. */
function useRun(step: Step, path: string, kit: StepKit) {
  const [failure, setFailure] = useState<unknown>()
  const isRunning = kit.runner.isRunning && kit.lastRun === step.id
  const run = async () => {
    setFailure(undefined)
    try {
      return await kit.run(step.id, path)
    } catch (error) {
      setFailure(error)
      return undefined
    }
  }
  return { failure, setFailure, isRunning, run }
}

function RunButton({
  kit,
  isRunning,
  label,
  run,
}: {
  kit: StepKit
  isRunning: boolean
  label: string
  run: () => void
}) {
  return isRunning ? (
    <Button size="sm" icon={<Square aria-hidden />} onPress={kit.runner.stop}>
      {words.step.stop}
    </Button>
  ) : (
    <Button
      size="sm"
      icon={<Play aria-hidden />}
      isDisabled={kit.runner.isRunning || !kit.runner.isReady}
      onPress={run}
    >
      {label}
    </Button>
  )
}

function RunView({ step, kit }: StepProps<RunStep>) {
  const { failure, isRunning, run } = useRun(step, step.path, kit)
  const start = async () => {
    if ((await run())?.status === 'executed') kit.onDone(step)
  }
  return (
    <StepCard
      step={step}
      kit={kit}
      icon={<CirclePlay aria-hidden />}
      action={<RunButton kit={kit} isRunning={isRunning} label={words.step.runs} run={() => void start()} />}
    >
      <FailureNotice error={failure} />
    </StepCard>
  )
}

function CheckView({ step, kit }: StepProps<CheckStep>) {
  const { check } = step
  const path = check.by === 'answer' ? '' : check.path
  const { failure, setFailure, isRunning, run } = useRun(step, path, kit)
  const [missing, setMissing] = useState<string>()
  const look = async (): Promise<string | undefined> => {
    if (check.by === 'answer') return undefined
    if (check.by === 'contains') {
      const text = await kit.read(check.path)
      if (text === undefined) return words.step.noFile(check.path)
      return text.includes(check.text) ? undefined : words.step.notContained(check.path, check.text)
    }
    const result = await run()
    if (result?.status !== 'executed') return words.step.failed
    const isPrinted = result.console?.some((line) => line.text.includes(check.text)) === true
    return isPrinted ? undefined : words.step.notPrinted(check.text)
  }
  const start = async () => {
    setMissing(undefined)
    setFailure(undefined)
    try {
      const found = await look()
      setMissing(found)
      if (found === undefined) kit.onDone(step)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <StepCard
      step={step}
      kit={kit}
      icon={<ListChecks aria-hidden />}
      action={<RunButton kit={kit} isRunning={isRunning} label={words.step.check} run={() => void start()} />}
    >
      {failure === undefined && missing !== undefined && <Notice title={missing} tone="warning" isLive />}
      <FailureNotice error={failure} />
    </StepCard>
  )
}

function AnswerView({ step, answers, kit }: StepProps<CheckStep> & { answers: readonly string[] }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isRight = answers.includes(plain(typed))
    setWrong(!isRight)
    if (isRight) kit.onDone(step)
  }
  return (
    <StepCard step={step} kit={kit} icon={<ListChecks aria-hidden />}>
      <form onSubmit={submit} noValidate className={styles.answer}>
        <TextField
          label={words.step.answer}
          size="sm"
          value={typed}
          maxLength={200}
          autoComplete="off"
          spellCheck="false"
          errorMessage={isWrong ? words.step.wrong : undefined}
          onChange={(text) => {
            setTyped(text)
            setWrong(false)
          }}
        />
        <Button size="sm" type="submit" isDisabled={typed.trim() === ''}>
          {words.step.check}
        </Button>
      </form>
    </StepCard>
  )
}
