import { type AccountSecurity, useCreateRecoveryCodes } from '@countersign/react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { formatDate } from '../lib/formatDate.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { Alert } from './Alert.tsx'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'

type Props = { codes: AccountSecurity['recoveryCodes']; onStepUp: (again: () => void) => void }

/** Codes for the day when every other way in is lost. */
export function RecoveryCodesCard({ codes: { left, made, createdAt }, onStepUp }: Props) {
  const { createRecoveryCodes, status } = useCreateRecoveryCodes()
  const [shown, setShown] = useState<readonly string[]>()
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const make = () => {
    setProblem(undefined)
    void createRecoveryCodes({
      onSuccess: (codes) => {
        setAsking(false)
        setShown(codes)
      },
      onError: (error) => {
        setAsking(false)
        if (needsStepUp(error)) onStepUp(make)
        else setProblem(describeError(error).message)
      },
    })
  }
  return (
    <Card aria-labelledby="recovery-codes">
      <CardHeader
        id="recovery-codes"
        title={say('Recovery codes')}
        aside={
          <Button
            look={made > 0 ? 'secondary' : 'primary'}
            pending={status === 'pending'}
            onClick={made > 0 ? () => setAsking(true) : make}
          >
            {made > 0 ? say('Make new codes') : say('Make codes')}
          </Button>
        }
      >
        {say(
          'Ten codes that open your account once each, when you have lost every other way in. Keep them on paper or in a safe place.',
        )}
      </CardHeader>
      {problem && <Alert tone="danger" title={problem} />}
      {made === 0 ? (
        <p className="rounded-control bg-sunken p-4 text-sm text-muted">{say('You have none yet.')}</p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
          <Badge tone={left < 3 ? 'warn' : 'ok'}>{say('{left} of {made} left', { left, made })}</Badge>
          {createdAt && <span>{say('Made on {date}', { date: formatDate(createdAt) })}</span>}
        </p>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={say('Make new codes?')}
        description={say('The codes that you have now will not open your account any more.')}
        confirm={say('Make new codes')}
        pending={status === 'pending'}
        onConfirm={make}
      />
      <RecoveryCodesDialog codes={shown} onClose={() => setShown(undefined)} />
    </Card>
  )
}
