import { useState } from 'react'
import { formatTime } from '../lib/formatTime.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'

/** Re-authentication, for whoever wants it behind them before they change something. */
export function ConfirmationCard() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card aria-labelledby="confirmation">
      <CardHeader
        id="confirmation"
        title={say('Confirmation')}
        aside={
          <Button look="secondary" onClick={() => setAsking(true)}>
            {say('Confirm now')}
          </Button>
        }
      >
        {say(
          'Before your ways in are changed, you are asked to show once more that it is you, unless you did so a short while ago. A page that you left open is no use to others.',
        )}
      </CardHeader>
      <StepUpDialog
        open={isAsking}
        onOpenChange={setAsking}
        description={say('For the next while you will not be asked again in this browser.')}
        onConfirmed={({ confirmedUntil }) => {
          setAsking(false)
          toasts.add(say('Confirmed until {time}.', { time: formatTime(confirmedUntil) }), 'ok')
        }}
      />
    </Card>
  )
}
