import { useState } from 'react'
import { Checkbox } from '../components/checkbox.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Select } from '../components/select.tsx'
import { Switch } from '../components/switch.tsx'
import { TextField } from '../components/text-field.tsx'
import { Columns, Row, Specimen } from './specimen.tsx'

const STATUSES = [
  { id: 'stable', label: 'Stable' },
  { id: 'testing', label: 'Testing' },
  { id: 'development', label: 'Development' },
  { id: 'deprecated', label: 'Deprecated', isDisabled: true },
]

export function FieldSpecimens() {
  const [identifier, setIdentifier] = useState('9bad.example')
  const isValid = /^[a-zA-Z][-a-zA-Z0-9.]{0,98}[a-zA-Z0-9]$/.test(identifier)
  return (
    <>
      <Specimen name="Text field" use="The label stays visible. Errors say how to fix the input.">
        <Columns>
          <TextField
            label="Name"
            placeholder="Fabrication toolkit"
            description="Shown in lists, at most 200 letters."
          />
          <TextField
            label="Identifier"
            isRequired
            isMono
            value={identifier}
            onChange={setIdentifier}
            description="Never changes once published."
            {...(isValid
              ? {}
              : { errorMessage: 'Begin with a letter; then letters, digits, dots and hyphens.' })}
          />
          <TextField label="Version" isReadOnly isMono value="2.1.0" />
          <TextField label="Category" isDisabled value="Manufacturing" />
        </Columns>
      </Specimen>
      <Specimen name="Select" use="One of a few. For two choices use a switch, for many a search.">
        <Columns>
          <Select label="Status" options={STATUSES} defaultValue="stable" />
          <Select
            label="Platform"
            options={STATUSES}
            placeholder="Any platform"
            description="Empty means all three."
          />
          <Select label="Runtime" options={STATUSES} errorMessage="A plugin needs a runtime." />
          <Select label="Type" options={STATUSES} isDisabled defaultValue="testing" />
        </Columns>
      </Specimen>
      <Specimen name="Checkbox" use="A choice that is sent later with the rest of a form.">
        <Row isLoose>
          <Checkbox defaultSelected>Keep settings on update</Checkbox>
          <Checkbox isIndeterminate>Some platforms</Checkbox>
          <Checkbox>Pin this version</Checkbox>
          <Checkbox isDisabled>Unavailable</Checkbox>
        </Row>
      </Specimen>
      <Specimen name="Switch" use="A choice that takes effect at once.">
        <Row isLoose>
          <Switch defaultSelected>Restart on failure</Switch>
          <Switch>Share the screen</Switch>
          <Switch isDisabled>Unavailable</Switch>
        </Row>
      </Specimen>
      <Specimen name="Copy field" use="A value that people carry elsewhere.">
        <CopyField label="Repository address" value="https://packages.example.test/repository.json" />
        <CopyField
          label="Command"
          value="patchbay install com.example.blinky --server https://packages.example.test/a-team/lamps"
        />
      </Specimen>
    </>
  )
}
