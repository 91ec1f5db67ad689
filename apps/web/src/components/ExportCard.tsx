import { useExportAccount } from '@countersign/react'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { downloadText } from '../lib/downloadText.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'

/** Everything that is kept of the person, for them to take along. */
export function ExportCard() {
  const { exportAccount, status } = useExportAccount()
  const { ask, dialog } = useConfirmation()
  const [problem, setProblem] = useState<string>()
  const save = () => {
    setProblem(undefined)
    void exportAccount({
      onSuccess: (data) => {
        downloadText('my-data.json', 'application/json', `${JSON.stringify(data, null, 2)}\n`)
        toasts.add(say('Your data is saved as {file}.', { file: 'my-data.json' }), 'ok')
      },
      onError: (error) => (needsStepUp(error) ? ask(save) : setProblem(describeError(error).message)),
    })
  }
  return (
    <Card aria-labelledby="export">
      <CardHeader
        id="export"
        title={say('Export my data')}
        aside={
          <Button look="secondary" pending={status === 'pending'} onClick={save}>
            <Download size={18} aria-hidden="true" /> {say('Save as a file')}
          </Button>
        }
      >
        {say(
          'Your profile, ways in, sessions, activity and everything else that belongs to you, as one JSON file. Passwords and keys are not in it.',
        )}
      </CardHeader>
      {problem && <Alert tone="danger" title={problem} />}
      <StepUpDialog {...dialog} />
    </Card>
  )
}
