import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Drawer } from '../components/drawer.tsx'
import { TextField } from '../components/text-field.tsx'
import { notify } from '../components/toast.tsx'
import { Row, Specimen } from './specimen.tsx'

export function OverlaySpecimens() {
  return (
    <>
      <Specimen
        name="Dialog"
        use="One question or one small form. An alert dialog asks before something is lost."
      >
        <Row>
          <DialogTrigger>
            <Button>Open a dialog</Button>
            <Dialog
              title="Rename the workspace"
              size="sm"
              renderActions={(close) => (
                <>
                  <Button variant="ghost" onPress={close}>
                    Cancel
                  </Button>
                  <Button variant="primary" onPress={close}>
                    Rename
                  </Button>
                </>
              )}
            >
              <TextField label="New name" defaultValue="Motor bench" />
            </Dialog>
          </DialogTrigger>
          <DialogTrigger>
            <Button variant="danger">Open an alert dialog</Button>
            <Dialog
              title="Delete version 2.1.0?"
              role="alertdialog"
              size="sm"
              renderActions={(close) => (
                <>
                  <Button variant="ghost" onPress={close}>
                    Keep it
                  </Button>
                  <Button variant="danger" onPress={close}>
                    Delete the version
                  </Button>
                </>
              )}
            >
              <p>Installations keep working. Nobody can install this version again.</p>
            </Dialog>
          </DialogTrigger>
        </Row>
      </Specimen>
      <Specimen name="Drawer" use="Navigation and details that need the height of the screen.">
        <Row>
          <DialogTrigger>
            <Button>Open a drawer</Button>
            <Drawer title="Details">{(close) => <Button onPress={close}>Done</Button>}</Drawer>
          </DialogTrigger>
        </Row>
      </Specimen>
      <Specimen name="Toast" use="Says that something was done, then leaves. Three at a time.">
        <Row>
          <Button onPress={() => notify({ title: 'Version 2.1.0 is published.' })}>Say that it worked</Button>
          <Button onPress={() => notify({ title: 'The key could not be revoked.', tone: 'danger' })}>
            Say that it did not
          </Button>
        </Row>
      </Specimen>
    </>
  )
}
